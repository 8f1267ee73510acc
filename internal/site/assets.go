package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
)

// PrefixAssets begins the path of every asset.
const PrefixAssets = "/assets/"

// Asset is a file that the pages need: the style sheet, the script, the icon.
type Asset struct {
	Path  string // holds a hash of the bytes, so that it may be kept for ever
	Type  string
	Bytes []byte
}

//go:embed assets
var assetFiles embed.FS

// assetPaths are the addresses of the assets, as the frame links them.
type assetPaths struct{ Style, Script, Icon string }

var (
	styleAsset  = newAsset("site.css", "text/css; charset=utf-8")
	scriptAsset = newAsset("site.js", "text/javascript; charset=utf-8")
	iconAsset   = newAsset("icon.svg", "image/svg+xml")

	paths = assetPaths{Style: styleAsset.Path, Script: scriptAsset.Path, Icon: iconAsset.Path}
)

// Assets lists the assets of the pages.
func Assets() []Asset { return []Asset{styleAsset, scriptAsset, iconAsset} }

// hashLength is how many hexadecimal digits of a SHA-256 name an asset.
const hashLength = 12

func newAsset(name, mediaType string) Asset {
	data, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // embedded: found by every test
	}
	sum := sha256.Sum256(data)
	ending := path.Ext(name)
	named := name[:len(name)-len(ending)] + "." + hex.EncodeToString(sum[:])[:hashLength] + ending
	return Asset{Path: PrefixAssets + named, Type: mediaType, Bytes: data}
}
