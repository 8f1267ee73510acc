package contract

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
)

// Amount is a sum of money as a decimal in units of its currency: "49", "4.80". Its JSON
// is a number with exactly these digits. The empty Amount means no amount.
type Amount string

// amountForm matches a JSON number without a sign or an exponent.
var amountForm = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// MarshalJSON returns the amount as a JSON number, and null for no amount.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a == "" {
		return []byte("null"), nil
	}
	return []byte(a), nil
}

// UnmarshalJSON reads a JSON number. It fails on a negative number, one with an exponent,
// and everything else.
func (a *Amount) UnmarshalJSON(text []byte) error {
	switch {
	case bytes.Equal(text, []byte("null")):
		*a = ""
	case amountForm.Match(text):
		*a = Amount(text)
	default:
		return errors.New("an amount is a number such as 490 or 4.80")
	}
	return nil
}

// Float returns the amount as a floating-point number, for comparisons and formatting.
// The empty Amount is 0.
func (a Amount) Float() float64 {
	value, _ := strconv.ParseFloat(string(a), 64) // the form makes it a number
	return value
}
