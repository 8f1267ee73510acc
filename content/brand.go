package content

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

var (
	brandKeys  = keys{optional: []string{"logo", "logo_alt", "icon", "accent", "photo", "photo_alt", "card", "developers"}}
	accentKeys = keys{required: []string{"light", "dark"}}
)

func (o object) brand(into *Edition) Brand {
	brand := Brand{
		Logo: o.image("logo"), Icon: o.image("icon"), Photo: o.image("photo"), Card: o.image("card"),
		Accent:     o.accent("accent"),
		Developers: o.flag("developers", false),
		IsSet:      true,
	}
	into.LogoAlt, into.PhotoAlt = o.localLine("logo_alt"), o.localLine("photo_alt")
	o.needsAlt("the brand", "logo")
	o.needsAlt("the brand", "photo")
	return brand
}

// needsAlt refuses a picture without its alternative text.
func (o object) needsAlt(kind, key string) {
	if alt := key + "_alt"; o.value(key) != nil && o.value(alt) == nil {
		o.fault(o.at(key), kind+" has a "+key+" without "+alt, "say in a few words what it shows, for people who cannot see it")
	}
}

// image reads the name of an image in the folder assets.
func (o object) image(key string) *Image {
	name := o.line(key)
	if name == "" {
		return nil
	}
	at := slices.IndexFunc(o.content.Images, func(image Image) bool { return image.Name == strings.TrimPrefix(name, assetsFolder+"/") })
	if at < 0 {
		o.fault(o.at(key), fmt.Sprintf("there is no image %q", name), "put it into the folder "+assetsFolder+", and write assets/NAME")
		return nil
	}
	return &o.content.Images[at]
}

// accent reads one colour for light pages, from which the dark one is made, or both.
func (o object) accent(key string) (accent Accent) {
	node := o.value(key)
	switch {
	case node == nil:
		return accent
	case node.Kind != yaml.MappingNode:
		accent.Light = o.colour(node, key, lightBackground, "light", black)
		accent.Dark = accent.Light.readable(darkBackground, white)
	default:
		if both, ok := o.object(node, "the accent", accentKeys); ok {
			if light := both.value("light"); light != nil {
				accent.Light = o.colour(light, "accent.light", lightBackground, "light", black)
			}
			if dark := both.value("dark"); dark != nil {
				accent.Dark = o.colour(dark, "accent.dark", darkBackground, "dark", white)
			}
		}
	}
	return accent
}

// colour reads a colour with enough contrast on a background.
func (o object) colour(node *yaml.Node, what string, background Colour, pages string, other Colour) Colour {
	text := o.lineOf(node, what)
	colour, ok := parseColour(text)
	switch {
	case text == "":
	case !ok:
		o.fault(node.Line, fmt.Sprintf("%s %q is not a colour", what, text), `six hexadecimal digits in quotes, such as "#1f6b52"`)
	case contrast(colour, background) < contrastAA:
		o.fault(node.Line, fmt.Sprintf("%s %s has a contrast of %.1f:1 on %s pages; WCAG AA requires %.1f:1",
			what, colour, contrast(colour, background), pages, contrastAA),
			fmt.Sprintf("the nearest readable colour is %q", colour.readable(background, other)))
	}
	return colour
}
