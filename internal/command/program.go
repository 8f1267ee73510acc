package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"frontdesk/contract"
)

// release is the version of this program. CHANGELOG.md has a section of this name.
const release = "1.0.0"

// build describes how this program was built. Go records it in a binary that is built
// in a git checkout; unknown fields are empty.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // 40 hex digits
	Date     string `json:"date"`     // of the commit, RFC 3339
	Modified bool   `json:"modified"` // files differed from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // GOOS/GOARCH
}

func newBuild(info *debug.BuildInfo) build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return b
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Date = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func thisBuild() build {
	info, _ := debug.ReadBuildInfo() // nil without module support
	return newBuild(info)
}

// String is one line without the unknown fields.
func (b build) String() string {
	parts := []string{contract.Product, b.Version}
	if b.Commit != "" {
		parts = append(parts, "commit "+b.Commit[:min(12, len(b.Commit))])
	}
	if b.Modified {
		parts = append(parts, "with changes")
	}
	if b.Date != "" {
		parts = append(parts, b.Date)
	}
	return strings.Join(append(parts, b.Go, b.Platform), " ")
}

type versionCmd struct {
	JSON bool `name:"json"`
}

func (c *versionCmd) Run(std Streams) error {
	this := thisBuild()
	if c.JSON {
		return printJSON(std.Out, this)
	}
	_, err := fmt.Fprintln(std.Out, this)
	return err
}
