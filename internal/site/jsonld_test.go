package site

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"frontdesk/content"
)

//go:embed testdata/schemaorg.txt
var vocabulary string

type schemaType struct{ parents, properties []string }

func has(types map[string]schemaType, name, property string) bool {
	return slices.Contains(types[name].properties, property) ||
		slices.ContainsFunc(types[name].parents, func(parent string) bool { return has(types, parent, property) })
}

func TestDataIsSchemaOrg(t *testing.T) {
	t.Parallel()
	types := map[string]schemaType{}
	for line := range strings.Lines(vocabulary) {
		if name, rest, ok := strings.Cut(line, " < "); ok {
			parents, properties, _ := strings.Cut(rest, ":")
			types[name] = schemaType{strings.Fields(parents), strings.Fields(properties)}
		}
	}
	var used []string
	var check func(t *testing.T, value any)
	check = func(t *testing.T, value any) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				check(t, item)
			}
		case map[string]any:
			name, _ := value["@type"].(string)
			if _, known := types[name]; !known {
				t.Errorf("schema.org has no type %q, or testdata/schemaorg.txt lacks it", name)
			}
			for property, member := range value {
				if strings.HasPrefix(property, "@") {
					continue
				}
				used = append(used, property)
				if !has(types, name, property) {
					t.Errorf("%s has no %s", name, property)
				}
				check(t, member)
			}
		}
	}
	for _, name := range content.SampleNames() {
		s := siteOf(t, load(t, name))
		for path, page := range s.Pages(t.Context(), today) {
			if dataElement.Match(page.HTML) {
				t.Run(name+path, func(t *testing.T) { check(t, dataOf(t, page)) })
			}
		}
	}
	for _, property := range []string{"potentialAction", "sameAs", "areaServed", "geo", "paymentAccepted", "specialOpeningHoursSpecification", "image", "price"} {
		if !slices.Contains(used, property) {
			t.Errorf("no sample has %s", property)
		}
	}
	if has(types, "Organization", "geo") || !has(types, "Bakery", "geo") {
		t.Error("the vocabulary does not say which type has a place")
	}
}
