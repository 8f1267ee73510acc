package site

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/images"
)

// Asset is a file of the pages: the style sheet, the script, an image.
type Asset struct {
	Path  string // holds a hash of the bytes, so that it may be cached for ever
	Type  string
	Bytes []byte
}

//go:embed assets
var assetFiles embed.FS

func newAsset(name, mediaType string, data []byte) Asset {
	return Asset{Path: content.AssetPath(name, data), Type: mediaType, Bytes: data}
}

func embedded(name string) []byte {
	data, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // embedded: every test would find it
	}
	return data
}

// picture is an owner's image as a page shows it.
type picture struct {
	Path          string
	Width, Height int
	SrcSet        string // smaller variants and the image itself; empty without variants
	Alt           string
	IsDark        bool // a logo that a dark page would swallow
}

// IsWide reports whether a logo is a word mark, which has the name in it.
func (p *picture) IsWide() bool { return p.Width >= 2*p.Height }

// assets are the files of a site, and the pictures by name.
type assets struct {
	all           []Asset
	style, script string
	icon          Asset
	phoneIcon     Asset               // the owner's icon, or the service's as PNG
	pictures      map[string]*picture // by the name in the folder assets; the brand names only these
}

// newAssets prepares the files of the pages. It fails when a photo is damaged.
func newAssets(c *content.Content, cache string) (*assets, error) {
	a := &assets{pictures: map[string]*picture{}}
	accent, surfaces := accentStyles(c.Brand.Accent)
	a.style = a.add(newAsset("site.css", "text/css; charset=utf-8",
		slices.Concat(embedded("colours.css"), embedded("site.css"), accent, surfaces)))
	a.script = a.add(newAsset("search.js", "text/javascript; charset=utf-8", embedded("search.js")))
	for i := range c.Images {
		if err := a.picture(&c.Images[i], cache); err != nil {
			return nil, err
		}
	}
	if logo := c.Brand.Logo; logo != nil {
		a.pictures[logo.Name].IsDark = images.IsDark(logo)
	}
	images.Prune(c.Images, cache)
	if icon := c.Brand.Icon; icon != nil {
		a.icon = newAsset(icon.Name, icon.Type, icon.Data)
		a.phoneIcon = a.icon
	} else {
		a.icon = newAsset("icon.svg", "image/svg+xml", embedded("icon.svg"))
		a.add(a.icon)
		a.phoneIcon = newAsset("icon.png", "image/png", embedded("icon.png"))
	}
	return a, nil
}

func (a *assets) add(asset Asset) string {
	a.all = append(a.all, asset)
	return asset.Path
}

func (a *assets) picture(image *content.Image, cache string) error {
	variants, err := images.Variants(image, cache)
	if err != nil {
		return err
	}
	shown := &picture{
		Path:  a.add(newAsset(image.Name, image.Type, image.Data)),
		Width: image.Width, Height: image.Height,
	}
	ending := path.Ext(image.Name)
	for _, variant := range variants {
		name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(image.Name, ending), variant.Width, ending)
		shown.SrcSet += fmt.Sprintf("%s %dw, ", a.add(newAsset(name, image.Type, variant.Data)), variant.Width)
	}
	if shown.SrcSet != "" {
		shown.SrcSet += fmt.Sprintf("%s %dw", shown.Path, image.Width)
	}
	a.pictures[image.Name] = shown
	return nil
}

// picture returns the picture of a service, nil without one.
func (e *edition) picture(service contract.Service) *picture {
	if service.Picture == nil {
		return nil
	}
	for _, p := range e.site.assets.pictures {
		if p.Path == service.Picture.URL {
			shown := *p
			shown.Alt = service.Picture.Alt
			return &shown
		}
	}
	return nil
}

// shown returns an image of the brand with its alternative text, nil without image.
func (a *assets) shown(image *content.Image, alt string) *picture {
	if image == nil {
		return nil
	}
	p := *a.pictures[image.Name]
	p.Alt = alt
	return &p
}

// accentStyles returns the style rules for the owner's colour, or nil without one. The rules in own set the accent and
// the background of answers, which is all that the desk inside another site needs. Those in surfaces set the other
// backgrounds. Each is at least as light, or as dark, as the one with which package content checks the contrast.
func accentStyles(accent content.Accent) (own, surfaces []byte) {
	if !accent.Light.IsSet() || !accent.Dark.IsSet() {
		return nil, nil
	}
	c := accent.Light
	own = fmt.Appendf(nil, ":root{--accent:%s;--on-accent:%s;--tint:%s}\n@media "+
		"(prefers-color-scheme:dark){:root{--accent:%s;--on-accent:%s;--tint:%s}}\n",
		c, c.On(), c.Shade(0.965, 0.01),
		accent.Dark, accent.Dark.On(), c.Shade(0.27, 0.015))
	surfaces = fmt.Appendf(nil, ":root{--panel:%s;--on-panel:%s;--paper:%s;--line:%s}\n@media "+
		"(prefers-color-scheme:dark){:root{--panel:%s;--on-panel:#fff;--paper:%s;--card:%s;--line:%s}}\n",
		c, c.On(), c.Shade(0.989, 0.003), c.Shade(0.905, 0.014),
		c.Shade(0.3, 0.065), c.Shade(0.195, 0.01), c.Shade(0.232, 0.012), c.Shade(0.36, 0.018))
	return own, surfaces
}
