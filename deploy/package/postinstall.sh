#!/bin/sh
# After the package is installed or upgraded: the user, the unit, and a restart of a
# service that runs.
set -e
if command -v systemd-sysusers > /dev/null; then
    systemd-sysusers frontdesk.conf
fi
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart frontdesk.service
fi
