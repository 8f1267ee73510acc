package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/records"
	"frontdesk/signing"
)

const dataHint = "FRONTDESK_DATA must be a folder that the user of the service can write to; run doctor as that user."

// dataFolder writes a file and takes it away. A folder that is not there stays so:
// made by whoever runs doctor, it could be closed to the user of the service.
func (e *examination) dataFolder(context.Context) Finding {
	dir := e.Settings.Dir()
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return warning(dir+" is not there yet", "The first start makes it, if the user of the service may.")
	case err != nil:
		return failed(err.Error(), dataHint)
	case !info.IsDir():
		return failed(dir+" is not a folder", dataHint)
	}
	if err := tryWriting(dir); err != nil {
		return failed(err.Error(), dataHint)
	}
	return ok("%s can be written to", dir)
}

func tryWriting(dir string) error {
	file, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = file.WriteString("frontdesk doctor\n")
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

// database opens the database that is there and asks it for its version.
func (e *examination) database(ctx context.Context) Finding {
	path := filepath.Join(e.Settings.Dir(), records.FileName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return skipped("the first start makes " + path)
	}
	store, err := records.Open(ctx, records.Options{Dir: e.Settings.Dir()})
	if err == nil {
		err = errors.Join(store.Ping(ctx), store.Close())
	}
	if err != nil {
		return failed(err.Error(), dataHint+" A full disk and a database of a newer version are other causes.")
	}
	return ok("SQLite at %s", path)
}

// signingKey reads the key that answers are signed with.
func (e *examination) signingKey(context.Context) Finding {
	if given := e.service.SigningKey.ID; given != "" {
		return ok("%s, from the settings", given)
	}
	if e.Settings.SigningKey != "" || e.Settings.SigningKeyFile != "" {
		return failed("the key of the settings cannot be read", "See the settings above.")
	}
	path := filepath.Join(e.Settings.Dir(), signing.KeyFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return skipped("the first start makes " + path)
	}
	key, err := signing.OpenKey(e.Settings.Dir())
	if err != nil {
		return failed(err.Error(), "Put the file back from a backup; when it is lost, remove it, and the next start makes another key.")
	}
	return ok("%s, in the data folder", key.ID)
}
