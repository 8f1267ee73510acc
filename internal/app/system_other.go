//go:build !linux

package app

import (
	"errors"
	"math"
	"net"
)

func ignoreNewConnections(net.Listener) error { return errors.ErrUnsupported }

func unaccepted(net.Listener) (int, error) { return 0, errors.ErrUnsupported }

func openFilesLimit() int { return math.MaxInt32 }
