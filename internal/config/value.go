package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Value is a setting that is read as a T. kong only keeps its text, which is read together
// with all others, so that a start reports every fault at once. An empty text is the
// default of the setting's tag.
type Value[T any] struct {
	Text  string
	Value T // of the text; only after the check
}

// The types of the settings that are not plain text.
type (
	Switch = Value[bool] // on or off, true or false
	Count  = Value[int]
	Share  = Value[float64]
	Time   = Value[time.Duration]
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Value[T]) UnmarshalText(text []byte) error {
	v.Text = string(text)
	return nil
}

func (v Value[T]) String() string { return v.Text }

// settle reads the text, or the default of the tag, and compares it with the bounds there.
func (v *Value[T]) settle(tag reflect.StructTag) error {
	if v.Text = cmp.Or(v.Text, tag.Get("default")); v.Text == "" {
		return nil
	}
	var err error
	if v.Value, err = parse[T](v.Text); err != nil {
		return err
	}
	for name, sign := range map[string]float64{"min": 1, "max": -1} {
		text, bounded := tag.Lookup(name)
		if bound, _ := parse[T](text); bounded && !(sign*number(v.Value) >= sign*number(bound)) { // true for NaN
			return fmt.Errorf("%q is out of bounds: the %simum is %s", v.Text, name, text)
		}
	}
	return nil
}

func number(value any) float64 {
	if v := reflect.ValueOf(value); v.CanInt() {
		return float64(v.Int())
	}
	float, _ := value.(float64)
	return float
}

// day is the unit of ages.
const day = 24 * time.Hour

func parse[T any](text string) (value T, err error) {
	like := ""
	switch into := any(&value).(type) {
	case *bool:
		like = "on, off, true or false"
		*into = text == "on" || text == "true"
		if !*into && text != "off" && text != "false" {
			err = strconv.ErrSyntax
		}
	case *int:
		like = "a whole number such as 500"
		var count uint64
		count, err = strconv.ParseUint(text, 10, 31)
		*into = int(count)
	case *float64:
		like = "a share such as 0.95"
		*into, err = strconv.ParseFloat(text, 64)
	case *time.Duration:
		like = "a time such as 5s, 12h or 90d"
		*into, err = time.ParseDuration(text)
		if days, ok := strings.CutSuffix(text, "d"); ok {
			var n int64
			n, err = strconv.ParseInt(days, 10, 17) // 18 bits of days overflow a Duration
			*into = time.Duration(n) * day
		}
	case *origin:
		into.address, err = parseAddress(text, false)
	case *address:
		*into, err = parseAddress(text, true)
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		err = fmt.Errorf("%q is out of bounds", text)
	case err != nil && like != "":
		err = fmt.Errorf("%q is not %s", text, like)
	}
	return value, err
}

// faults are what is wrong with settings, by the names of their variables.
type faults map[string]error

// add adds an error, if there is one and none of that setting yet.
func (f faults) add(name string, err error) {
	if err != nil && f[name] == nil {
		f[name] = fmt.Errorf("%s: %w", name, err)
	}
}

// addf adds the fault that a format describes.
func (f faults) addf(name, format string, args ...any) { f.add(name, fmt.Errorf(format, args...)) }

// join returns all faults in the order of the settings, or nil.
func (f faults) join() error {
	var list []error
	for _, setting := range (Settings{}).Describe() {
		list = append(list, f[setting.Name])
	}
	return errors.Join(list...)
}

// settle gives the settings of a struct, and of those that it embeds, their defaults and
// values.
func (f faults) settle(settings any) {
	v := reflect.ValueOf(settings).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		switch setting := v.FieldByIndex(field.Index).Addr().Interface().(type) {
		case interface{ settle(reflect.StructTag) error }:
			f.add(field.Tag.Get("env"), setting.settle(field.Tag))
		case *string:
			*setting = cmp.Or(*setting, field.Tag.Get("default"))
			choices := strings.Split(field.Tag.Get("choices"), ",")
			if choices[0] != "" && *setting != "" && !slices.Contains(choices, *setting) {
				f.addf(field.Tag.Get("env"), "%q is not one of %s", *setting, strings.Join(choices, ", "))
			}
		}
	}
}

// secret returns a setting that can be given directly or in a file, and the name of the
// setting that was used.
func (f faults) secret(name, value, file string) (text, from string) {
	if file == "" {
		return value, name
	}
	from = name + FileSuffix
	if value != "" {
		f.addf(from, "is set together with %s: set one of them", name)
		return "", from
	}
	content, err := os.ReadFile(file)
	if text = strings.TrimSpace(string(content)); err == nil && text == "" {
		err = errors.New("is empty")
	}
	f.add(from, err)
	return text, from
}
