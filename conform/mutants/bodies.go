package mutants

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/payload"
	"frontdesk/middleware"
	"frontdesk/routes"
)

// readLoosely reads a JSON body like encoding/json: the last of repeated keys counts.
func readLoosely(_ *http.Request, body []byte) []byte {
	if !json.Valid(body) {
		return body
	}
	return edited(body, func(map[string]any) {})
}

// lowered changes the keys of an object to lower case.
func lowered(object map[string]any) {
	for name, value := range object {
		if lower := strings.ToLower(name); lower != name {
			delete(object, name)
			object[lower] = value
		}
	}
}

// bodyMutants break reading and validating bodies.
func bodyMutants() []Mutant {
	pad := func(n int) func(string) string {
		return func(text string) string {
			if len(text) > n && utf8.RuneCountInString(text) <= n {
				return text + strings.Repeat("a", n)
			}
			return text
		}
	}
	return []Mutant{
		{"an unknown field is refused", "D.rules", "unknown-fields-are-ignored", at(strictFields, contract.PathContact)},
		{"keys are read in any case", "D.rules", "dry-run-is-never-lost", objects(lowered, contract.PathContact)},
		{"dryRun is ignored", "D.rules", "dry-run-is-never-lost", objects(lose("dryRun"), contract.PathContact)},
		{"dry-run is read", "D.rules", "dry-run-is-never-lost", objects(func(object map[string]any) {
			if value, given := object["dry-run"]; given {
				delete(object, "dry-run")
				object[contract.FieldDryRun] = value
			}
		}, contract.PathContact)},
		{"e-mail is ignored", "D.rules", "keys-match-exactly", objects(lose("e-mail"), contract.PathContact)},
		{"dryRun of a form is ignored", "D.rules", "dry-run-is-never-lost",
			bodies(func(_ *http.Request, body []byte) []byte {
				return bytes.ReplaceAll(body, []byte("&dryRun=true"), nil)
			}, contract.PathContact)},
		{"dryRun of a tool is ignored", "D.mcp", "tool-arguments-are-known",
			arguments(func(_ string, arguments map[string]any) { delete(arguments, "dryRun") })},
		{"dry-run in the query is ignored", "D.rules", "query-fields-are-refused", requests(func(r *http.Request) {
			r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, "dry-run", "x")
		})},
		{"question is ignored", "D.rules", "ask-hint-names-the-field",
			objects(lose("question"), contract.PathAsk)},
		{"the last of repeated keys counts", "D.rules", "dry-run-is-never-lost", bodies(readLoosely, contract.PathContact)},
		{"the first of a form's repeated keys counts", "D.rules", "dry-run-is-never-lost",
			bodies(firstOfForm, contract.PathContact)},
		{"dry_run may be a string", "2", "dry-run-is-a-boolean", objects(func(object map[string]any) {
			if text, ok := object[contract.FieldDryRun].(string); ok {
				object[contract.FieldDryRun] = text == "true"
			}
		}, contract.PathContact)},
		{"dry_run may be null", "D.rules", "dry-run-is-a-boolean", objects(func(object map[string]any) {
			if value, given := object[contract.FieldDryRun]; given && value == nil {
				object[contract.FieldDryRun] = true
			}
		}, contract.PathContact)},
		{"dry_run=1 of a form is true", "D.rules", "dry-run-is-never-lost", bodies(func(_ *http.Request, body []byte) []byte {
			return bytes.ReplaceAll(body, []byte("dry_run=1"), []byte("dry_run=true"))
		}, contract.PathContact)},

		// Lengths.
		{"q of 300 characters is refused", "D.rules", "q-at-300", field(contract.FieldQuestion, func(q string) string {
			if utf8.RuneCountInString(q) == contract.MaxQuestion {
				return q + "a"
			}
			return q
		}, contract.PathAsk)},
		{"q of 301 characters is accepted", "8.4", "q-over-its-bound",
			field(contract.FieldQuestion, shorten(contract.MaxQuestion), contract.PathAsk)},
		{"q is counted in bytes", "D.rules", "q-at-300",
			field(contract.FieldQuestion, pad(contract.MaxQuestion), contract.PathAsk)},
		{"name is counted in bytes", "8.4", "fields-have-bounds",
			field(contract.FieldName, pad(contract.MaxName), contract.PathContact)},
		{"a name of 201 characters is accepted", "8.4", "fields-have-bounds",
			field(contract.FieldName, shorten(contract.MaxName), contract.PathContact)},
		{"a message of 5001 characters is accepted", "8.4", "fields-have-bounds",
			field(contract.FieldMessage, shorten(contract.MaxMessage), contract.PathContact)},
		{"lengths count before trimming", "D.rules", "fields-are-trimmed",
			field(contract.FieldName, func(name string) string {
				if utf8.RuneCountInString(name) > contract.MaxName &&
					utf8.RuneCountInString(strings.TrimSpace(name)) <= contract.MaxName {
					return name + "aaa"
				}
				return name
			}, contract.PathContact)},

		// Characters, and what a body is.
		{"an address without a dot is accepted", "D.rules", "address-is-plain",
			field(contract.FieldEmail, func(address string) string {
				return regexp.MustCompile(`@[a-z]+$`).ReplaceAllString(address, "$0.example")
			}, contract.PathContact)},
		{"an address is cut at a line break", "2", "address-is-one-address",
			field(contract.FieldEmail, func(address string) string {
				first, _, _ := strings.Cut(strings.ReplaceAll(address, "\r", "\n"), "\n")
				return first
			}, contract.PathContact)},
		{"line breaks in a name become spaces", "D.rules", "controls-are-refused",
			field(contract.FieldName, strings.NewReplacer("\n", " ").Replace, contract.PathContact)},
		{"bidi overrides are removed", "D.rules", "controls-are-refused",
			field(contract.FieldName, strings.NewReplacer("\u202e", "").Replace, contract.PathContact)},
		{"invalid UTF-8 is repaired", "D.rules", "contact-body-is-readable",
			bodies(func(_ *http.Request, body []byte) []byte {
				return bytes.ToValidUTF8(body, []byte("\ufffd"))
			}, contract.PathContact)},
		{"a number becomes a string", "2", "fields-are-texts", objects(func(object map[string]any) {
			if number, ok := object[contract.FieldName].(json.Number); ok {
				object[contract.FieldName] = number.String()
			}
		}, contract.PathContact)},
		{"text after the object is ignored", "4.contact", "contact-body-is-one-object",
			bodies(func(_ *http.Request, body []byte) []byte {
				var first json.RawMessage
				if json.NewDecoder(bytes.NewReader(body)).Decode(&first) != nil {
					return body
				}
				return first
			}, contract.PathContact)},
		{"any Content-Type is JSON", "D.rules", "contact-goes-by-its-type",
			deaf("Content-Type", func(r *http.Request, value string) bool {
				return r.URL.Path == contract.PathContact && !strings.Contains(value, "form")
			})},
		{"ask checks its Content-Type", "D.rules", "ask-takes-any-type",
			at(func(next middleware.HandlerFunc, _ routes.Limiters, w http.ResponseWriter, r *http.Request) error {
				if r.Header.Get("Content-Type") != contract.TypeJSON {
					return contract.InvalidBody("The Content-Type is not JSON.", "Send JSON.")
				}
				return next(w, r)
			}, contract.PathAsk)},
		{"Content-Encoding is ignored", "D.rules", "contact-goes-by-its-type", deaf("Content-Encoding", always)},
		{"fields in the query are ignored", "D.rules", "query-fields-are-refused", requests(func(r *http.Request) {
			r.URL.RawQuery = ""
		})},
		{"line breaks in q are removed with the space around them", "D.rules", "ask-folds-white-space",
			field(contract.FieldQuestion, strings.NewReplacer(" \n\t", "").Replace, contract.PathAsk)},
	}
}

func shorten(n int) func(string) string {
	return func(text string) string {
		if runes := []rune(text); len(runes) > n {
			return string(runes[:n])
		}
		return text
	}
}

func firstOfForm(r *http.Request, body []byte) []byte {
	values, err := url.ParseQuery(string(body))
	if err != nil || !strings.HasPrefix(r.Header.Get("Content-Type"), contract.TypeForm) {
		return body
	}
	for name := range values {
		values[name] = values[name][:1]
	}
	return []byte(values.Encode())
}

func strictFields(next middleware.HandlerFunc, _ routes.Limiters, w http.ResponseWriter, r *http.Request) error {
	object, err := payload.ParseArguments(string(payload.Bytes(r)), payload.PilotFields)
	if err == nil {
		err = object.Err()
	}
	if err != nil {
		return err
	}
	return next(w, r)
}
