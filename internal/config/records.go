package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/internal/records"
)

// Records returns where the records are and the name of the setting that decides it.
// The error names that setting and holds no password.
func (d DataFolder) Records() (options records.Options, setting string, err error) {
	address, from, err := secret("FRONTDESK_DATABASE_URL", d.DatabaseURL, d.DatabaseURLFile)
	options = records.Options{Dir: d.Dir(), URL: address}
	switch {
	case err != nil:
	case address == "":
		return options, "FRONTDESK_DATA", nil
	default:
		err = options.Check()
	}
	if err != nil {
		return records.Options{}, from, fmt.Errorf("%s: %w", from, err)
	}
	return options, from, nil
}

// IsNew reports whether a start would make the database: the records belong into the data
// folder, and are not there yet.
func (d DataFolder) IsNew() bool {
	options, _, err := d.Records()
	if err != nil || options.URL != "" {
		return false
	}
	_, err = os.Stat(filepath.Join(d.Dir(), records.FileName))
	return errors.Is(err, fs.ErrNotExist)
}

// database checks where the records are. Instances that share a database must share a
// signing key: by default each would make its own.
func (s Settings) database(wrong faults) {
	options, name, err := s.Records()
	if err != nil {
		wrong[name] = err // err names the setting
	}
	shared := options.URL != "" || err != nil
	if shared && s.SigningKey == "" && s.SigningKeyFile == "" {
		wrong.add("FRONTDESK_SIGNING_KEY", errors.New("is required with a PostgreSQL database, "+
			"so that all instances sign with the same key; make one with: openssl genpkey -algorithm ed25519"))
	}
}
