package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// clientVariables are the variables of the client commands. They are not settings of
// the service.
var clientVariables = []string{Prefix + "URL"}

// Setting is one setting as it may be shown: the name of its variable and its value.
// The value of a secret is "(set)" or empty.
type Setting struct {
	Name, Value string
}

// Describe lists the settings in their order, without secrets.
func (s Settings) Describe() []Setting { return describe(reflect.ValueOf(s)) }

func describe(v reflect.Value) []Setting {
	var settings []Setting
	for field, value := range v.Fields() {
		if field.Anonymous {
			settings = append(settings, describe(value)...)
			continue
		}
		shown := fmt.Sprint(value.Interface())
		if _, secret := field.Tag.Lookup("secret"); secret && shown != "" {
			shown = "(set)"
		}
		settings = append(settings, Setting{field.Tag.Get("env"), shown})
	}
	return settings
}

// Warnings say which obsolete settings are still given.
func (o Obsolete) Warnings() (warnings []string) {
	for field, value := range reflect.ValueOf(o).Fields() {
		if value.String() != "" {
			warnings = append(warnings, field.Tag.Get("env")+" is not a setting any more: "+field.Tag.Get("help"))
		}
	}
	return warnings
}

// serviceLink matches the variables that Kubernetes sets in every pod for a Service named
// frontdesk: https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
var serviceLink = regexp.MustCompile(`^FRONTDESK_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// Unknown lists the variables of an environment that begin with Prefix but name no
// setting; most are misspelt. They do not stop the start, because an orchestrator may
// set some for a service of this name.
func Unknown(environ []string) []string {
	known := slices.Clone(clientVariables)
	for _, setting := range (Settings{}).Describe() {
		known = append(known, setting.Name)
	}
	inKubernetes := slices.ContainsFunc(environ, func(variable string) bool { return strings.HasPrefix(variable, "KUBERNETES_SERVICE_HOST=") })
	var unknown []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, Prefix) && !slices.Contains(known, name) && !(inKubernetes && serviceLink.MatchString(name)) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}
