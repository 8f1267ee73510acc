#!/bin/sh
# After the package is removed: systemd forgets the unit. The records and the signing key
# stay, also with dpkg --purge, because they hold requests that may be unread.
set -e
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
fi
if [ "$1" = purge ] && [ -d /var/lib/frontdesk ]; then
    echo "frontdesk: /var/lib/frontdesk (records, signing key) and your files in /etc/frontdesk are kept; remove them by hand."
fi
