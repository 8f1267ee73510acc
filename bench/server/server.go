package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"frontdesk/bench/load"
)

// Kind is a server that can be started several times. {addr} in its command and its
// environment is replaced with its address.
type Kind struct {
	Name    string
	Command []string
	Env     []string
	Health  load.Request // answered with 200 as soon as the server serves
	Log     string       // the file of its log
	Apart   bool         // run only on the servers' processors (KeepApart)
}

// Process is a running server.
type Process struct {
	Addr string
	Cold time.Duration // from the start of the process to the first answer

	command *exec.Cmd
	ended   chan struct{}
}

// Start starts the server and waits until it serves.
func (k *Kind) Start(ctx context.Context) (*Process, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(k.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &Process{Addr: addr, command: k.command(ctx, addr), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = log, log
	began := time.Now()
	start := p.command.Start
	if k.Apart {
		start = func() error { return apart(p.command.Start) }
	}
	if err := start(); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	go func() {
		_ = p.command.Wait() // its log shows how it ended
		close(p.ended)
	}()
	if err := p.await(ctx, &k.Health); err != nil {
		p.Stop()
		return nil, fmt.Errorf("%s: %w (its log: %s)", k.Name, err, k.Log)
	}
	p.Cold = time.Since(began)
	return p, nil
}

// command returns the command that starts the server at an address. It does not inherit
// the environment, so that no setting of the shell changes the figures.
func (k *Kind) command(ctx context.Context, addr string) *exec.Cmd {
	at := func(text string) string { return strings.ReplaceAll(text, "{addr}", addr) }
	command := exec.CommandContext(context.WithoutCancel(ctx), k.Command[0]) // our own servers
	for _, arg := range k.Command[1:] {
		command.Args = append(command.Args, at(arg))
	}
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for _, variable := range k.Env {
		command.Env = append(command.Env, at(variable))
	}
	return command
}

// startPatience is how long a server may take to its first answer: with the largest
// content it takes minutes on a slow machine.
const startPatience = 10 * time.Minute

// await sends health checks until the server answers.
func (p *Process) await(ctx context.Context, health *load.Request) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	again := time.NewTicker(500 * time.Microsecond)
	defer again.Stop()
	for {
		if answer, err := load.Once(ctx, p.Addr, health); err == nil && answer.Status == 200 {
			return nil
		}
		select {
		case <-p.ended:
			return errors.New("it ended before it served")
		case <-ctx.Done():
			return fmt.Errorf("it does not serve: %w", ctx.Err())
		case <-again.C:
		}
	}
}

// A server has settled if it used less than settledCPU in a settledSpan.
const (
	settledSpan = time.Second
	settledCPU  = 20 * time.Millisecond
)

// Settle waits until the server is idle: work that it still does after its first answer
// would be counted for the requests.
func (p *Process) Settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	span := time.NewTicker(settledSpan)
	defer span.Stop()
	for before := time.Duration(-1); ; {
		now, err := p.CPU()
		if err != nil {
			return err
		}
		if before >= 0 && now-before < settledCPU {
			return nil
		}
		before = now
		select {
		case <-ctx.Done():
			return fmt.Errorf("it does not settle: %w", ctx.Err())
		case <-span.C:
		}
	}
}

// Stop ends the server with SIGTERM, and kills it if that takes too long.
func (p *Process) Stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		_ = p.command.Process.Kill()
		<-p.ended
	}
}

// freeAddr returns a free address.
func freeAddr(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	addr := listener.Addr().String()
	return addr, listener.Close()
}
