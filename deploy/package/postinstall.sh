#!/bin/sh
# After the package is installed or upgraded: creates the user, loads the unit, and restarts
# the service if it runs.
set -e
if command -v systemd-sysusers > /dev/null; then
    systemd-sysusers frontdesk.conf
fi
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart frontdesk.service || echo "frontdesk did not start again; run: systemctl status frontdesk" >&2
fi
