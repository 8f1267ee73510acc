package mcpserver

import (
	"encoding/json"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// schema is a JSON Schema (2020-12). Its members are encoded in the order of their
// names, so that it is the same text each time.
type schema map[string]any

func (s schema) text() json.RawMessage { return payload.JSON(s) }

// with returns s with one more keyword.
func (s schema) with(keyword string, value any) schema {
	s[keyword] = value
	return s
}

// object is a JSON object with the given properties, of which some must be there.
func object(properties schema, required ...string) schema {
	s := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// arguments is the input of a tool: an object without any other property.
func arguments(properties schema, required ...string) schema {
	return object(properties, required...).with("additionalProperties", false)
}

func text(description string) schema { return schema{"type": "string", "description": description} }

// bounded is a text of one to limit characters.
func bounded(description string, limit int) schema {
	return text(description).with("minLength", 1).with("maxLength", limit)
}

func address(description string) schema {
	return text(description).with("format", "email").with("maxLength", contract.MaxEmail)
}

func uri(description string) schema { return text(description).with("format", "uri") }

func yesNo(description string) schema {
	return schema{"type": "boolean", "description": description}
}

func whole(description string) schema {
	return schema{"type": "integer", "description": description}
}

func list(description string, items schema) schema {
	return schema{"type": "array", "description": description, "items": items}
}

func texts(description string) schema { return list(description, schema{"type": "string"}) }

// orNull lets a text be null.
func orNull(s schema) schema { return s.with("type", []string{"string", "null"}) }

// among is a text of a closed set.
func among[T ~string](description string, values ...T) schema {
	return text(description).with("enum", values)
}
