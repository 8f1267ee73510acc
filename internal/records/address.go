package records

import (
	"errors"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"frontdesk/contract"
)

// Check reports an address that no database can have. The error holds nothing of
// its password.
func (o Options) Check() error {
	if o.URL == "" {
		return nil
	}
	_, err := parseURL(o.URL)
	return err
}

// parseURL reads an address and sets what it leaves open. What net/url cannot read
// is not shown, because no one could say which part of it is the password.
func parseURL(text string) (*pgx.ConnConfig, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Opaque != "" {
		return nil, errors.New("is not an address such as postgres://user:password@host:5432/database " +
			"(signs like / @ : # in a password are written %2F %40 %3A %23)")
	}
	// A password with a bare sign in it ends early, and its rest is taken for a path.
	if strings.Contains(u.Path+u.RawQuery, "@") || u.Fragment != "" {
		return nil, errors.New("has a sign in its password that must be written as % and two digits: / @ ? # are %2F %40 " +
			"%3F %23")
	}
	config, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, err // which masks every password of an address that net/url can read
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = contract.Product // as its operator sees it
	}
	return config, nil
}

// publicURL is an address without its password and its parameters.
func publicURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && u.RawQuery == "" {
		return "PostgreSQL"
	}
	public := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		public.User = url.User(name)
	}
	return public.String()
}
