#!/bin/sh
# Before the package is removed, but not before an upgrade: deb passes "upgrade", rpm 1.
set -e
if [ -d /run/systemd/system ] && [ "$1" != upgrade ] && [ "$1" != 1 ]; then
    systemctl disable --now frontdesk.service
fi
