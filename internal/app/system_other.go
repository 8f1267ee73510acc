//go:build !linux

package app

import (
	"errors"
	"net"
)

func ignoreNewConnections(net.Listener) error { return errors.ErrUnsupported }

func unaccepted(net.Listener) (int, error) { return 0, errors.ErrUnsupported }
