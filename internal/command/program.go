package command

import (
	"runtime"
	"runtime/debug"
	"strings"

	"frontdesk/contract"
)

// release is the version of this program. CHANGELOG.md has a section of this name.
const release = "1.0.0"

// describeBuild returns one line about this program and its build. Go records the commit in a
// binary built in a git checkout; unknown parts are left out.
func describeBuild(info *debug.BuildInfo) string {
	settings := map[string]string{}
	if info != nil {
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
	}
	parts := []string{contract.Product, release}
	if commit := settings["vcs.revision"]; commit != "" {
		parts = append(parts, "commit "+commit[:min(12, len(commit))])
	}
	if settings["vcs.modified"] == "true" {
		parts = append(parts, "with changes")
	}
	if date := settings["vcs.time"]; date != "" {
		parts = append(parts, date)
	}
	return strings.Join(append(parts, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH), " ")
}

type versionCmd struct{}

func (c *versionCmd) Run(std Streams) error {
	info, _ := debug.ReadBuildInfo() // nil without module support
	return std.printf("%s\n", describeBuild(info))
}
