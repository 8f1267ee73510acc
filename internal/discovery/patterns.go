package discovery

import (
	"fmt"

	"frontdesk/contract"
)

// patterns are regular expressions (ECMA-262) for the fields of a request. They allow
// the same control characters as package contract and set no length. The service also
// refuses line separators and format characters in one-line fields; the description
// says so in words, because their escapes differ between dialects.
var patterns = map[string]string{
	"Line":             `^[\s\x85]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*[\s\x85]*$`,
	"OptionalLine":     `^[\s\x85]*[^\x00-\x1F\x7F-\x9F]*[\s\x85]*$`,
	"Text":             `^[\s\x85]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*[\s\x85]*$`,
	"OptionalText":     `^[\s\x85]*[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*[\s\x85]*$`,
	"Question":         `^[\s\x85]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]*$`,
	"OptionalQuestion": `^[^\x00-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]*$`,
	"NotBlank":         `[^\s\x85]`,
	// The header carries printable ASCII, bare or as a string of structured fields
	// (RFC 9651, section 3.3.3).
	"Key": fmt.Sprintf(`^(?:[!#-+\--~]{1,%[1]d}|"(?:[ !#-\[\]-~]|\\["\\]){1,%[1]d}")$`, contract.MaxKey),
}
