//go:build !linux

package server

import (
	"errors"
	"time"
)

var errLinux = errors.New("what another process costs is read on Linux alone")

// CPU is the time that the server has used so far; read on Linux alone.
func (p *Process) CPU() (time.Duration, error) { return 0, errLinux }

// Memory is the server's resident set, in bytes; read on Linux alone.
func (p *Process) Memory() (int64, error) { return 0, errLinux }

// KeepApart puts driver and servers on processors of their own, on Linux alone.
func KeepApart() error { return errLinux }

func apart(start func() error) error { return start() }
