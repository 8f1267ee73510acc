package config

import (
	"cmp"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
)

// Group is a group of settings in help and docs.
type Group struct{ Key, Title string }

// Groups are the groups in their order. A setting names its own in a tag; without one it is
// the operator's.
var Groups = []Group{
	{"first", "The first settings"},
	{"owner", "For the owner"},
	{"operator", "For the operator"},
	{"tuning", "Tuning; the defaults suit most services"},
}

// FileSuffix ends the name of the variable that holds the path of a secret's file.
const FileSuffix = "_FILE"

// Setting is one setting as it may be shown.
type Setting struct {
	Name  string `json:"name"`  // of its variable
	Group string `json:"group"` // the key of its group
	Value string `json:"value"` // of a secret "(set)" or empty
	// Source is where the value comes from: flag, variable, file and its path, or default. Only InForce fills it in.
	Source string `json:"source"`
	// Default describes a default that is not a fixed value.
	Default string `json:"-"`
	Help    string `json:"-"`
}

// Describe lists the settings in their order, without secrets.
func (s Settings) Describe() (settings []Setting) {
	help := ParseHelp(helpText)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		name := field.Tag.Get("env")
		if name == "" { // an embedded struct, or MailServer.Sender
			continue
		}
		value := reflect.ValueOf(s).FieldByIndex(field.Index).Interface()
		_, unset, _ := strings.Cut(help[name], " Default: ")
		one := Setting{
			Name: name, Help: help[name], Value: fmt.Sprint(value),
			Group:   cmp.Or(field.Tag.Get("group"), "operator"),
			Default: cmp.Or(strings.TrimSuffix(unset, "."), "none"),
		}
		if list, ok := value.([]string); ok {
			one.Value = strings.Join(list, ",")
		}
		if _, secret := field.Tag.Lookup("secret"); one.Value != "" && (secret || holdsPassword(one.Value)) {
			one.Value = "(set)"
		}
		settings = append(settings, one)
	}
	return settings
}

// holdsPassword reports whether an address may hold a secret that its setting refuses.
func holdsPassword(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.User != nil || u.Host != "" && u.RawQuery != "")
}

// InForce lists the settings by group, with the values that a start would use and where
// they come from. The default that a start computes is in parentheses. A secret and its
// file are one setting. isFlag reports whether the flag of a variable was given, and
// getenv returns a variable. The error names every setting that is wrong.
func (s Settings) InForce(isFlag func(variable string) bool, getenv func(string) string) (list []Setting, err error) {
	checked, err := s.Service(0)
	computed := map[string]string{
		"FRONTDESK_BASE_URL":                   checked.BaseURL,
		"FRONTDESK_OWNER_URL":                  checked.OwnerURL,
		"FRONTDESK_KEEP_ANSWERED":              fmt.Sprint(checked.KeepAnswered),
		"FRONTDESK_MODEL_DAILY_CAP_PER_CLIENT": fmt.Sprint(checked.ModelClientCap),
	}
	for _, one := range s.WithDefaults().Describe() {
		switch {
		case isFlag(one.Name):
			one.Source = "flag"
		case getenv(one.Name) != "":
			one.Source = "variable"
		default:
			one.Source, one.Value = "default", cmp.Or(one.Value, computed[one.Name], "("+one.Default+")")
		}
		switch {
		case !strings.HasSuffix(one.Name, FileSuffix):
			list = append(list, one)
		case one.Source != "default": // it follows its secret
			secret := &list[len(list)-1]
			secret.Value, secret.Source = "(set)", "file "+one.Value
		}
	}
	slices.SortStableFunc(list, func(a, b Setting) int { return GroupIndex(a.Group) - GroupIndex(b.Group) })
	return list, err
}

// GroupIndex is the place of a group in Groups, or -1.
func GroupIndex(key string) int {
	return slices.IndexFunc(Groups, func(g Group) bool { return g.Key == key })
}

// serviceLink matches the variables that Kubernetes sets in every pod for a Service named
// frontdesk: https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
var serviceLink = regexp.MustCompile(`^FRONTDESK_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|` +
	`PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// Warnings warns about the variables of an environment that begin with Prefix but name no
// setting, with the nearest name that does; most are misspelt. They do not stop the start,
// because an orchestrator may set some for a service of this name.
func Warnings(environ []string) (warnings []string) {
	known := []string{"URL"} // of the client commands, which is no setting of the service
	for _, setting := range (Settings{}).Describe() {
		known = append(known, strings.TrimPrefix(setting.Name, Prefix)) // which says nothing about how near a name is
	}
	inKubernetes := slices.ContainsFunc(environ, func(variable string) bool {
		return strings.HasPrefix(variable, "KUBERNETES_SERVICE_HOST=")
	})
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		bare, isOurs := strings.CutPrefix(name, Prefix)
		if !isOurs || slices.Contains(known, bare) || inKubernetes && serviceLink.MatchString(name) {
			continue
		}
		warning := name + " is not a setting"
		if near := content.Closest(bare, known); near != "" {
			warning += ": did you mean " + Prefix + near + "?"
		}
		warnings = append(warnings, warning)
	}
	return warnings
}
