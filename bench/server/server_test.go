package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"frontdesk/bench/load"
)

const envRole = "BENCH_TEST_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(envRole) {
	case "serve":
		serve(os.Args[1])
	case "end":
		fmt.Fprintln(os.Stderr, "no such setting")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

func serve(addr string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	server := http.Server{Addr: addr, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for began := time.Now(); time.Since(began) < 20*time.Millisecond; {
			runtime.Gosched()
		}
		fmt.Fprint(w, runtime.NumCPU())
	})}
	go func() { _ = server.ListenAndServe() }()
	<-ctx.Done()
	fmt.Println("stopped in order, PATH", os.Getenv("PATH") != "", "TMPDIR", os.Getenv("TMPDIR"))
}

func kind(t *testing.T, role string) Kind {
	return Kind{Name: role, Command: []string{os.Args[0], "{addr}"}, Env: []string{envRole + "=" + role},
		Health: load.Request{Method: "GET", Path: "/"}, Log: filepath.Join(t.TempDir(), "log")}
}

func TestProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the costs of another process can be read only on Linux")
	}
	t.Setenv("TMPDIR", t.TempDir()) // must not reach the server
	k := kind(t, "serve")
	p, err := k.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before, err := p.CPU()
	if err != nil || p.Cold < 20*time.Millisecond {
		t.Errorf("CPU: %v; the first answer after %v, which takes longer to make", err, p.Cold)
	}
	for range 5 {
		if answer, err := load.Once(t.Context(), p.Addr, &k.Health); err != nil || answer.Status != 200 {
			t.Fatalf("%+v, %v", answer, err)
		}
	}
	after, err := p.CPU()
	if used := after - before; err != nil || used <= 0 || used > time.Minute {
		t.Errorf("the CPU time of five requests is %v, %v", used, err)
	}
	if memory, err := p.Memory(); err != nil || memory < 1<<20 || memory > 1<<30 {
		t.Errorf("the memory is %d, %v", memory, err)
	}
	if err := p.Settle(t.Context()); err != nil {
		t.Errorf("an idle server does not settle: %v", err)
	}
	if err := p.settleWhileAsked(t, &k.Health); !errors.Is(err, context.Canceled) {
		t.Errorf("a busy server settles: %v", err)
	}
	p.Stop()
	if log, err := os.ReadFile(k.Log); err != nil || string(log) != "stopped in order, PATH true TMPDIR \n" {
		t.Errorf("log %q, %v", log, err)
	}
	if _, err := p.Memory(); err == nil {
		t.Error("a server that has ended has memory")
	}
}

func (p *Process) settleWhileAsked(t *testing.T, request *load.Request) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	settled := make(chan error, 1)
	go func() { settled <- p.Settle(ctx) }()
	for began := time.Now(); time.Since(began) < settledSpan*5/2; {
		if _, err := load.Once(t.Context(), p.Addr, request); err != nil {
			t.Error(err)
		}
	}
	cancel()
	return <-settled
}
