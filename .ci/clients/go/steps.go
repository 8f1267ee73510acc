// Command clients plays ../steps.json with one Go client of MCP and prints what its user
// sees: a line for each step, with the server, the step, its tool and what came of it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// session is what the steps need of a client.
type session interface {
	tools(ctx context.Context) ([]string, error)
	resources(ctx context.Context) (map[string]string, error) // addresses by name
	read(ctx context.Context, uri string) (string, error)
	// call returns the text of a tool's result; what the tool reports as its own failure
	// begins with "isError:".
	call(ctx context.Context, tool string, arguments map[string]any) (string, error)
}

// connects opens a session and returns its protocol version.
type connects func(ctx context.Context, url string) (session, string, error)

type step struct {
	Step, Tool string
	Arguments  map[string]any
	Times      int
}

// patience is the time for one step: a client that hangs is a finding too.
const patience = 20 * time.Second

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: clients mcp-go|go-sdk URL STEPS.json")
		os.Exit(2)
	}
	if err := run(map[string]connects{"mcp-go": connectMCPGo, "go-sdk": connectGoSDK}[os.Args[1]], os.Args[2],
		os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func run(connect connects, base, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var steps map[string][]step
	if err := json.Unmarshal(text, &steps); err != nil {
		return err
	}
	play("website", base+"/mcp", connect, steps["website"])
	play("workspace", base+"/api/public/mcp", connect, steps["workspace"])
	return nil
}

func play(server, url string, connect connects, steps []step) {
	show := func(step, text string, err error) {
		outcome := "ok"
		if err != nil {
			outcome, text = "raises", fmt.Sprintf("%T: %v", err, err)
		}
		fmt.Println(strings.Join([]string{server, step, outcome, strings.Join(strings.Fields(text), " ")}, "\t"))
	}
	c, version, err := connect(context.Background(), url)
	show("connect", version, err)
	if err != nil {
		return
	}
	var resources map[string]string
	for _, s := range steps {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		switch s.Step {
		case "tools":
			names, err := c.tools(ctx)
			slices.Sort(names)
			show(s.Step, strings.Join(names, " "), err)
		case "resources":
			resources, err = c.resources(ctx)
			show(s.Step, strings.Join(slices.Sorted(maps.Keys(resources)), " "), err)
		case "read":
			for _, name := range slices.Sorted(maps.Keys(resources)) {
				text, err := c.read(ctx, resources[name])
				if text != "" {
					text = "text"
				}
				show("read "+name, text, err)
			}
		default:
			for range max(1, s.Times) {
				text, err := c.call(ctx, s.Tool, s.Arguments)
				show(s.Step+" "+s.Tool, text, err)
			}
		}
		cancel()
	}
}
