package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"frontdesk/bench/load"
	"frontdesk/bench/peers/recorded"
	"frontdesk/bench/server"
)

// Names of the servers in the tables.
const (
	frontdesk = "frontdesk"
	limit     = "limit"       // net/http with the recorded bytes
	noise     = "limit again" // the same server again, to show the difference of two equal servers
	mcpGo     = "mcp-go"
	goSDK     = "go-sdk"
)

// workshop is the folder in which the servers are built and run. It is deleted at the
// end.
type workshop struct {
	folder string
	apart  bool
}

func (w *workshop) path(parts ...string) string {
	return filepath.Join(append([]string{w.folder}, parts...)...)
}

// build builds frontdesk and the peers as frontdesk is released.
func (w *workshop) build(ctx context.Context) error {
	for _, program := range []struct{ folder, name string }{
		{"..", frontdesk}, {"./peers/replay", limit}, {"./peers/mcpgo", mcpGo}, {"./peers/gosdk", goSDK},
	} {
		folder, main := ".", program.folder
		if main == ".." { // another module
			folder, main = main, "."
		}
		out, err := filepath.Abs(w.path(program.name))
		if err != nil {
			return err
		}
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, main) // our own programs
		build.Dir, build.Env = folder, append(os.Environ(), "CGO_ENABLED=0")
		if message, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", program.name, err, message)
		}
	}
	return nil
}

var (
	health  = load.Request{Method: "GET", Path: recorded.PathHealth}
	catalog = load.Request{Method: "GET", Path: "/v1/catalog"}
)

// frontdesk is the service as shipped, with its log, limits and database. content
// is a content folder, or empty for the sample.
func (w *workshop) frontdesk(content string) server.Kind {
	return server.Kind{
		Name: frontdesk, Command: []string{w.path(frontdesk), "serve"}, Health: health, Log: w.path("frontdesk.log"),
		Apart: w.apart,
		Env: []string{"FRONTDESK_ADDR={addr}", "FRONTDESK_DATA=" + w.path("data"), "FRONTDESK_CONTENT=" + content,
			"FRONTDESK_TRUSTED_PROXIES=127.0.0.1"}, // the driver sets the client of each request
	}
}

// peer returns a server that sends the recorded answers.
func (w *workshop) peer(name, program string) server.Kind {
	return server.Kind{
		Name: name, Command: []string{w.path(program)}, Health: health, Log: w.path("peers.log"), Apart: w.apart,
		Env: []string{recorded.EnvAddr + "={addr}", recorded.EnvAnswers + "=" + w.path("answers.json")},
	}
}
