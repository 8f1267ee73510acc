package command

import (
	"errors"
	"strings"

	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/live"
)

// listingCmd prints what a directory of MCP servers asks for.
type listingCmd struct {
	Server string `enum:"website,workspace" default:"website" placeholder:"NAME"`
	config.Addresses
	contentFolder
}

func (c *listingCmd) Run(std Streams) error {
	base, workspace, err := c.Published()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(base, "https:") {
		return errors.New("FRONTDESK_BASE_URL: the registry lists only public https addresses")
	}
	loaded, err := live.LoadFolder(c.Content)
	if err != nil {
		return err
	}
	if c.Server == discovery.WorkspaceServer && !loaded.Trials {
		return errors.New("the content offers no trials, so there is no workspace server")
	}
	_, err = std.Out.Write(discovery.Listing(loaded, discovery.Addresses{Base: base, App: workspace}, c.Server))
	return err
}
