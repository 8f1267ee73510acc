package records

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	of := func(password string) string { return "postgres://desk:" + password + "@db.example/frontdesk" }
	for _, row := range [][2]string{
		{"", ""},
		{"postgres://desk:hunter2@db.example:5432/frontdesk?sslmode=require", ""},
		{"postgresql://desk@db.example/frontdesk", ""},
		{of("hunter2%2F%40"), ""},
		{"postgres:///frontdesk?host=/var/run/postgresql", ""},
		{"postgres://desk@one.example,two.example/frontdesk?target_session_attrs=read-write", ""},
		{"mysql://desk:hunter2@db.example/frontdesk", "is not an address such as postgres://"},
		{"password=hunter2", "is not an address"},
		{"postgres:hunter2", "is not an address"},
		{of("hunter2%zz"), "is not an address"},
		{of("1/hunter2"), "in its password"},
		{of("1?hunter2"), "in its password"},
		{of("1#hunter2"), "in its password"},
		{of("1@hunter2"), "in its password"},
		{of("hunter2") + "?sslmode=maybe", "sslmode"},
	} {
		options := Options{URL: row[0]}
		err := options.Check()
		expect.Says(t, row[0], err, row[1])
		expect.Lacks(t, row[0], fmt.Sprint(err), "hunter2")
		if err == nil {
			expect.Lacks(t, row[0], options.String(), "hunter2")
		}
	}
}

func TestOptionsString(t *testing.T) {
	t.Parallel()
	for want, options := range map[string]Options{
		filepath.Join("data", "frontdesk.db"): {Dir: "data"},
		"postgres://desk@db.example:5432/frontdesk": {Dir: "data", URL: "postgres://desk:hunter2@db.example:5432/frontdesk" +
			"?sslmode=require&password=a&sslpassword=b&default_query_exec_mode=exec"},
		"postgres:///frontdesk": {URL: "postgres:///frontdesk?host=/run/postgresql"},
		"PostgreSQL":            {URL: "postgres://%zz"},
	} {
		expect.Same(t, fmt.Sprintf("%+v is shown as", options), want, options.String())
	}
}

func TestOpenHidesThePassword(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), Options{URL: "postgres://desk:hunter2@127.0.0.1:1/frontdesk?password=hunter2"})
	expect.Says(t, "Open", err, "127.0.0.1:1")
	expect.Lacks(t, "Open", fmt.Sprint(err), "hunter2")
}

func FuzzCheckHidesThePassword(f *testing.F) {
	f.Add("//user", "db.example:5432", "sslmode=require")
	f.Add("/", "db.example", "sslmode=x")
	f.Add("", ":0:0", "port=x&%zz")
	f.Fuzz(func(t *testing.T, before, host, query string) {
		const password = "hunter2hunter2"
		for _, text := range []string{
			"postgres://" + before + ":" + password + "@" + host + "/desk?" + query,
			"postgres://desk@" + host + "/desk?" + query + "&password=" + password,
		} {
			options := Options{URL: text}
			if err := options.Check(); err != nil && strings.Contains(err.Error(), password) {
				t.Errorf("%q: %v", text, err)
			}
			if shown := options.String(); strings.Contains(shown, password) && options.Check() == nil {
				t.Errorf("%q is shown as %q", text, shown)
			}
		}
	})
}
