package contract

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
)

// validate is the only validator. Struct tags name bounds in characters as Values does, so
// that no tag repeats a number.
var validate = newValidator()

// Bounds are the rules of a text field that a schema can express.
type Bounds struct {
	Required  bool // and not empty
	MaxLength int  // in characters; zero means that only the body's cap bounds it
	Address   bool // one plain e-mail address
}

// FieldBounds returns the bounds of a field by its validate tag.
func FieldBounds(tag string) Bounds {
	var bounds Bounds
	for rule := range strings.SplitSeq(tag, ",") {
		switch rule {
		case "required":
			bounds.Required = true
		case ruleAddress:
			bounds.Address, bounds.MaxLength = true, MaxEmail
		default:
			if most, isBound := values[rule].(int); isBound {
				bounds.MaxLength = most
			}
		}
	}
	return bounds
}

func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(field reflect.StructField) string {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		return name
	})
	for name, value := range values {
		if most, isBound := value.(int); isBound && strings.HasPrefix(name, "Max") {
			v.RegisterAlias(name, fmt.Sprintf("max=%d", most))
		}
	}
	for tag, holds := range map[string]func(string) bool{
		"line":      isLine,
		"text":      isText,
		ruleAddress: addressRule(v),
	} {
		rule := func(field validator.FieldLevel) bool { return holds(field.Field().String()) }
		if err := v.RegisterValidation(tag, rule); err != nil {
			panic(err) // a malformed tag: every test would find it
		}
	}
	return v
}

// Validate checks a normalized request against its bounds. It returns the errors of its
// fields, in the order of the fields, or nil.
func Validate(request any) []FieldError {
	err := validate.Struct(request)
	if err == nil {
		return nil
	}
	failures, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		panic(err) // not a struct: every test would find it
	}
	fields := make([]FieldError, len(failures))
	for i, failure := range failures {
		fields[i] = FieldError{Field: failure.Field(), Message: message(failure)}
	}
	return fields
}

// message describes a failed rule to the caller; it begins with the field's name.
func message(failure validator.FieldError) string {
	field := failure.Field()
	if failure.Tag() == ruleAddress {
		return fmt.Sprintf("%s must be one plain e-mail address of at most %d ASCII characters", field, MaxEmail)
	}
	switch failure.ActualTag() {
	case "required":
		return field + " is required"
	case "required_without":
		return field + " or " + FieldQuestion + " is required"
	case "line":
		return field + " must be one line without control or formatting characters"
	case "text":
		return field + " must not hold control characters"
	case "max":
		if field == FieldQuestion {
			return fmt.Sprintf("%s is too long: keep it under %d characters", field, MaxQuestion)
		}
		return fmt.Sprintf("%s must be at most %s characters", field, failure.Param())
	default:
		return field + " is not valid"
	}
}
