//go:build !linux

package server

import (
	"errors"
	"time"
)

var errLinux = errors.New("the costs of another process can be read only on Linux")

// CPU returns the time that the server has used so far, only on Linux.
func (p *Process) CPU() (time.Duration, error) { return 0, errLinux }

// Memory returns the server's resident set in bytes, only on Linux.
func (p *Process) Memory() (int64, error) { return 0, errLinux }

// KeepApart puts driver and servers on separate processors, only on Linux.
func KeepApart() error { return errLinux }

func apart(start func() error) error { return start() }
