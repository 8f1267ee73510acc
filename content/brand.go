package content

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

func (o object) brand(into *Edition) Brand {
	brand := Brand{
		Logo: o.image("logo"), LogoDark: o.image("logo_dark"),
		Icon: o.image("icon"), Photo: o.image("photo"), Card: o.image("card"),
		Accent:     o.accent(),
		Developers: o.flag("developers"),
		IsSet:      true,
	}
	into.LogoAlt, into.PhotoAlt = o.text("logo_alt"), o.text("photo_alt")
	o.needsAlt("logo")
	if o.value("logo_dark") != nil && o.value("logo") == nil {
		o.lacks("logo", "logo_dark", "logo is the one for light pages").as("content.missing", "logo")
	}
	o.needsAlt("photo")
	return brand
}

// needsAlt refuses a picture without its alternative text.
func (o object) needsAlt(key string) {
	if alt := key + "_alt"; o.value(key) != nil && o.value(alt) == nil {
		o.lacks(alt, key, "say in a few words what it shows, for people who cannot see it").as("content.alt")
	}
}

// lacks reports, on the line of a key, another one that it needs and that is missing.
func (o object) lacks(missing, key, hint string) *Diagnostic {
	fault := o.fault(o.value(key), hint, "%s has a %s without %s", o.of.Name, key, missing)
	fault.node = o.node
	return fault.below(missing)
}

// image reads the name of an image in the folder assets.
func (o object) image(key string) *Image {
	name := o.text(key)
	if name == "" {
		return nil
	}
	image := o.content.Image(strings.TrimPrefix(name, AssetsFolder+"/"))
	if image == nil {
		o.fault(o.value(key), "put it into the folder "+AssetsFolder+", and write assets/NAME", "there is no image %q", name).
			as("content.image", name)
	}
	return image
}

// accent reads one colour for light pages, from which the dark one is made, or both.
func (o object) accent() (accent Accent) {
	node := o.value("accent")
	switch {
	case node == nil:
	case node.Kind != yaml.MappingNode:
		accent.Light = o.colour(node, "accent", lightBackground, "light", black)
		accent.Dark = accent.Light.lit()
	default:
		if both, ok := o.object(node, &accentGroup); ok {
			accent.Light = o.colour(both.value("light"), "accent.light", lightBackground, "light", black)
			accent.Dark = o.colour(both.value("dark"), "accent.dark", darkBackground, "dark", white)
		}
	}
	return accent
}

// colour reads a colour with enough contrast on a background. The node may be nil.
func (o object) colour(node *yaml.Node, what string, background Colour, pages string, other Colour) Colour {
	if node == nil {
		return ""
	}
	text := o.lineOf(node, what)
	colour := parseColour(text)
	switch {
	case text == "":
	case !colour.IsSet():
		o.fault(node, `six hexadecimal digits in quotes, such as "#1f6b52"`, "%s %q is not a colour", what, text).
			as("content.colour", text)
	case contrast(colour, background) < contrastAA:
		o.fault(node, fmt.Sprintf("the nearest readable colour is %q", colour.readable(background, other)),
			"%s %s has a contrast of %.1f:1 on %s pages; WCAG AA requires %.1f:1",
			what, colour, contrast(colour, background), pages, contrastAA).
			as("content.contrast", contrast(colour, background), contrastAA)
	}
	return colour
}
