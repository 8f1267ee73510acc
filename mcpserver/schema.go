package mcpserver

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"frontdesk/contract"
)

// The schemas (JSON Schema 2020-12) are generated from the contract's structs: properties
// and required properties from the json tags, descriptions of arguments from the jsonschema
// tags, formats from the format tags, and bounds of arguments from the validate tags.

// textTypes are types whose schema does not follow from their Go kind.
var textTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[contract.Reason](): {Type: "string", Enum: values(contract.Reasons)},
	reflect.TypeFor[contract.Match]():  {Type: "string", Enum: values(contract.Matches)},
	reflect.TypeFor[contract.Amount](): {Type: "number", Minimum: jsonschema.Ptr(0.0)},
	reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
}

// values returns a list as the values of an enum.
func values[T any](list []T) []any {
	all := make([]any, len(list))
	for i, value := range list {
		all[i] = value
	}
	return all
}

// schemaOf returns the schema of T. It does not forbid other members: some clients fail on
// additionalProperties (google-genai 3.4), and later releases of version 1 may add members to
// results. Unknown arguments are refused all the same.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: textTypes})
	if err != nil {
		panic(err) // a struct without a schema: every test would find it
	}
	refine(s, reflect.TypeFor[T]())
	return s
}

// inputSchema returns the schema of the arguments T. An optional text may be null, because
// frameworks send null for what their model omits. OpenAPI's nullable says so, which the
// other forms do not for all: Semantic Kernel 1.45 fails on a list of types, and smolagents
// 1.26 takes anyOf for a required text. An optional flag has the default false, because null
// is refused there. Descriptions say what an address or an id is: on an enum or a format
// Genkit 1.42 ends its run, and CrewAI 1.15 cannot connect without email-validator.
func inputSchema[T any]() *jsonschema.Schema {
	s := schemaOf[T]()
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{} // some clients read it without a check
	}
	for name, property := range s.Properties {
		switch {
		case slices.Contains(s.Required, name):
		case property.Type == "string":
			property.Extra = map[string]any{"nullable": true}
		case property.Type == "boolean":
			property.Default = json.RawMessage("false")
		}
	}
	if key := s.Properties[contract.FieldIdempotencyKey]; key != nil {
		key.MinLength, key.MaxLength = jsonschema.Ptr(1), jsonschema.Ptr(contract.MaxKey)
	}
	return s
}

// outputSchema returns the schema of the structured content T. It is short, because models
// pay for it: it has the members of the root, and no descriptions. The OpenAPI document
// describes the values that HTTP serves too in full.
func outputSchema[T any]() *jsonschema.Schema {
	s := schemaOf[T]()
	for _, property := range s.Properties {
		for _, nested := range []*jsonschema.Schema{property, property.Items} {
			if nested != nil && nested.Type == "object" {
				*nested = jsonschema.Schema{Type: "object"}
			}
		}
	}
	return s
}

// refine adds what the tags of a struct say beyond the Go types of its fields. It also
// removes null from arrays, which are never null, and from optional members, which are absent
// instead.
func refine(s *jsonschema.Schema, t reflect.Type) {
	s.AdditionalProperties = nil
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		if slices.Contains(property.Types, "array") || len(property.Types) > 0 && !slices.Contains(s.Required, name) {
			property.Types, property.Type = nil, property.Types[1]
		}
		if format := field.Tag.Get("format"); format != "" {
			property.Format = format
		}
		if property.Type == "string" {
			bound(property, contract.FieldBounds(field.Tag.Get("validate")))
		}
	}
}

func bound(property *jsonschema.Schema, bounds contract.Bounds) {
	if bounds.Required && !bounds.Address {
		property.MinLength = jsonschema.Ptr(1)
	}
	if bounds.MaxLength > 0 {
		property.MaxLength = &bounds.MaxLength
	}
}

// eitherSchema returns the schema of one of two answers. Its root is an object with the
// members of both, as MCP clients expect, and says which of them occur together.
func eitherSchema[A, B any]() *jsonschema.Schema {
	merged := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, s := range []*jsonschema.Schema{outputSchema[A](), outputSchema[B]()} {
		for _, name := range s.PropertyOrder {
			if merged.Properties[name] == nil {
				merged.Properties[name] = s.Properties[name]
				merged.PropertyOrder = append(merged.PropertyOrder, name)
			}
		}
		merged.OneOf = append(merged.OneOf, &jsonschema.Schema{Required: s.Required})
	}
	return merged
}

// answerSchema returns the output schema of ask_faq.
func answerSchema() *jsonschema.Schema {
	s := outputSchema[contract.Answer]()
	for _, list := range []string{"suggestions", "candidates"} {
		s.Properties[list].MaxItems = jsonschema.Ptr(contract.MaxSuggestions)
	}
	return s
}

// pilotSchema returns the output schema of request_pilot: a preview or the accepted
// request.
func pilotSchema() *jsonschema.Schema {
	s := eitherSchema[contract.Preview, contract.Accepted]()
	s.Properties["status"].Enum = []any{contract.StatusAccepted}
	return s
}

// trialSchema returns the output schema of start_trial: a preview or the draft workspace.
func trialSchema() *jsonschema.Schema {
	s := eitherSchema[contract.TrialPreview, contract.Trial]()
	s.Properties["state"].Enum = []any{contract.StateDraft}
	return s
}
