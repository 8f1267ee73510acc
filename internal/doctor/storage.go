package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"frontdesk/internal/admin"
	"frontdesk/internal/disk"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
)

const dataHint = "FRONTDESK_DATA must be a folder that the user of the service can write to; run doctor as that user."

// dataFolder writes a file and removes it. It does not create a missing folder, because
// the service's user might have no access to a folder of the user who runs doctor.
func (e *examination) dataFolder(ctx context.Context) Finding {
	dir := e.Settings.Dir()
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return warning(dir+" does not exist yet", "The first start creates it, if the service's user is allowed to.")
	case err != nil:
		return failed(err.Error(), dataHint)
	case !info.IsDir():
		return failed(dir+" is not a folder", dataHint)
	}
	if err := disk.TryWriting(dir); err != nil {
		return failed(err.Error(), dataHint)
	}
	if admin.HasSecond(ctx, dir) {
		return warning("two services run on "+dir,
			"Stop one of them: each applies the limits by itself, and frontdesk reload reaches only the first.")
	}
	return ok(dir + " can be written to")
}

// diskReserve is the free space beside a backup below which the disk is likely to be full
// soon.
const diskReserve = 200 << 20

// disk compares the free space of the data folder with the space that a backup needs, which is
// written beside a copy of the records and then restored as a test.
func (e *examination) disk(context.Context) Finding {
	dir := e.Settings.Dir()
	free, err := freeSpace(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return skipped(dir + " does not exist yet")
	}
	if err != nil {
		return skipped(err.Error())
	}
	holds := sizeOf(dir) + sizeOf(e.Settings.Content)
	if daily, err := e.Settings.DailyBackup(); err == nil && daily != nil {
		holds = max(holds-sizeOf(daily.Folder), daily.State().Bytes)
	}
	what := fmt.Sprintf("%s free; a backup needs up to %s temporarily", humanize.Bytes(uint64(free)),
		humanize.Bytes(uint64(2*holds)))
	if free < 2*holds+diskReserve {
		return warning(what, "Make room on the disk of "+dir+": pilot requests are refused when it is full.")
	}
	return ok(what)
}

// sizeOf returns the total size of the files of a folder. It skips hidden files, which backups
// leave out, and files that cannot be read.
func sizeOf(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case path != dir && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type().IsRegular():
			if info, err := entry.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

// database opens the service's database; opening it reads the schema version.
func (e *examination) database(ctx context.Context) Finding {
	options, setting, err := e.Settings.Records()
	if err != nil { // the file with the address has changed since the settings were checked
		return failed(err.Error(), "")
	}
	kind, hint := "PostgreSQL", setting+
		" must lead to a writable database, and name a user that may create tables in it."
	if options.URL == "" {
		kind, hint = "SQLite", dataHint
		if _, err := os.Stat(options.String()); errors.Is(err, fs.ErrNotExist) {
			return skipped("the first start creates " + options.String())
		}
	}
	options.KeepSchema = true
	store, err := records.Open(ctx, options)
	if err == nil {
		err = errors.Join(store.CheckWrite(ctx), store.Close())
	}
	if schema, ok := errors.AsType[*records.SchemaError](err); ok {
		if schema.Found < schema.Known {
			return warning(fmt.Sprintf("%s at %s has schema %d", kind, options, schema.Found),
				fmt.Sprintf("The next start of this version brings it to %d; frontdesk backup first: an older version refuses it "+
					"then.", schema.Known))
		}
		return failed(err.Error(), "A service of this version does not start on it.")
	}
	if err != nil {
		return failed(err.Error(), hint)
	}
	return ok(kind + " at " + options.String())
}

// redis makes a decision as a request would, with a separate key.
func (e *examination) redis(ctx context.Context) Finding {
	if !e.service.Redis.IsSet() {
		return skipped("none is set: each instance applies its own limits")
	}
	if err := e.service.Redis.Check(ctx); err != nil {
		return failed(fmt.Sprintf("%s: %v", e.service.Redis, err),
			fmt.Sprintf("FRONTDESK_REDIS_URL must lead to a Redis that runs, takes the password, allows writes and "+
				"answers within %v. Until it does, each instance applies its own limits.", quota.CallTimeout))
	}
	return ok(e.service.Redis.String())
}

func (e *examination) signingKey(context.Context) Finding {
	if given := e.service.SigningKey.ID; given != "" {
		return ok(given + ", from the settings")
	}
	if e.service.Redis.IsSet() {
		return warning("each instance makes a key of its own, although they share limits: a person behind an assistant "+
			"counts at each instance by itself",
			"Set FRONTDESK_SIGNING_KEY to one key for all instances.")
	}
	path := filepath.Join(e.Settings.Dir(), signing.KeyFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return skipped("the first start creates " + path)
	}
	key, err := signing.OpenKey(e.Settings.Dir())
	if err != nil {
		return failed(err.Error(), "Put the file back from a backup; if it is lost, remove it; the next start creates "+
			"another key.")
	}
	return ok(key.ID + ", in the data folder")
}

func (e *examination) backups(context.Context) Finding {
	daily, err := e.Settings.DailyBackup()
	if err != nil || daily == nil { // settings with errors never get here
		return skipped("the service makes none")
	}
	state := daily.State()
	newest := "the newest in " + daily.Folder + " is of " + state.At.Format(time.RFC3339)
	switch {
	case state.Err != nil:
		return failed(state.Err.Error(),
			"FRONTDESK_BACKUP must name a folder that the user of the service can write to, or none.")
	case state.At.IsZero():
		return warning("there is none in "+daily.Folder,
			"The service makes the first one when it starts; if it is running, its log says why there is none.")
	case state.IsLate(time.Now()):
		return warning(newest, "The log of the service says why the daily backup is missing.")
	}
	return ok(newest)
}
