// Package expect fails a test whose result is not the wanted one. Only tests use it.
package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// OK ends a test when one of the errors is not nil.
func OK(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// ErrorOf returns the error of a call that also has another result.
func ErrorOf[T any](_ T, err error) error { return err }

// Error fails a test when an error is not the wanted one, which may be nil.
func Error(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error = %v, want %v", what, err, want)
	}
}

// Says fails a test when an error lacks the wanted words, or when there is one and no words are wanted.
func Says(t testing.TB, what string, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); (err == nil) != (want == "") || want != "" && !strings.Contains(got, want) {
		t.Errorf("%s: error = %.1000s, want %q", what, got, want)
	}
}

// Same fails a test when a value is not the wanted one, and shows the difference.
func Same[T any](t testing.TB, what string, want, got T, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// AtLeast fails a test when a value is less than the wanted one.
func AtLeast[T ~int | ~int64 | ~float64](t testing.TB, what string, least, got T) {
	t.Helper()
	if got < least {
		t.Errorf("%s: %v, want at least %v", what, got, least)
	}
}

// AtMost fails a test when a value is more than the wanted one.
func AtMost[T ~int | ~int64 | ~float64](t testing.TB, what string, most, got T) {
	t.Helper()
	if got > most {
		t.Errorf("%s: %v, want at most %v", what, got, most)
	}
}

// Holds fails a test when a text lacks one of the wanted parts.
func Holds[T ~string | ~[]byte](t testing.TB, what string, text T, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q:\n%s", what, want, text)
		}
	}
}

// Lacks fails a test when a text has one of the unwanted parts.
func Lacks[T ~string | ~[]byte](t testing.TB, what string, text T, unwanted ...string) {
	t.Helper()
	for _, part := range unwanted {
		if strings.Contains(string(text), part) {
			t.Errorf("%s has %q:\n%s", what, part, text)
		}
	}
}

// Value returns the value of a call that must not fail, and ends the test if it did:
// expect.Value(os.ReadFile(path))(t).
func Value[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// JSON reads a value from JSON and ends the test if it is malformed.
func JSON[T any](t testing.TB, text []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v: %.1000s", err, text)
	}
	return value
}

// Bubble runs a subtest in a bubble of synctest, in parallel with others.
func Bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

// SkipInRace skips a test under the race detector, which would find nothing in it and make it ten times as slow. make
// test and CI run it without.
func SkipInRace(t testing.TB, why string) {
	t.Helper()
	if race {
		t.Skip("runs without -race: " + why)
	}
}

// File returns the text of a file.
func File(t testing.TB, path string) string {
	t.Helper()
	return string(Value(os.ReadFile(path))(t))
}

// Write writes a file that only its owner can read.
func Write[T ~string | ~[]byte](t testing.TB, path string, text T) {
	t.Helper()
	OK(t, os.WriteFile(path, []byte(text), 0o600))
}

// Files returns the texts of all files of a folder by their names, without those whose name begins with ignored.
func Files(t testing.TB, folder fs.FS, ignored string) map[string]string {
	t.Helper()
	files := map[string]string{}
	OK(t, fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, ignored) {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		files[name] = string(text)
		return err
	}))
	return files
}
