package records

import (
	"errors"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"frontdesk/contract"
)

// Check returns an error if the address is not valid. The error does not show the password.
func (o Options) Check() error {
	if o.URL == "" {
		return nil
	}
	_, err := parseURL(o.URL)
	return err
}

// parseURL parses an address and adds defaults. Its errors must not show an address that
// net/url cannot parse, because any part of it could be the password.
func parseURL(text string) (*pgx.ConnConfig, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Opaque != "" {
		return nil, errors.New("is not an address such as postgres://user:password@host:5432/database " +
			"(characters like / @ : # in a password are written %2F %40 %3A %23)")
	}
	// An unescaped character ends the password, and its rest is read as a path, or by pgx as the host.
	if strings.Contains(u.Path+u.RawQuery, "@") || u.Fragment != "" || strings.Count(text, "@") > 1 {
		return nil, errors.New("has an unescaped character in its password: / @ ? # are written %2F %40 %3F %23")
	}
	config, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, err // it masks every password of an address that net/url can parse
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = contract.Product
	}
	return config, nil
}

// publicURL returns an address without its password and its parameters.
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
