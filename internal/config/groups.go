package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/faq/encoder"
	"frontdesk/faq/semantic"
	"frontdesk/internal/backup"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// DataFolder is where the service keeps its records and keys. serve and the owner's
// commands read it.
type DataFolder struct {
	Data            string `env:"FRONTDESK_DATA" group:"first" default:"./data" placeholder:"DIR"`
	DatabaseURL     string `env:"FRONTDESK_DATABASE_URL" placeholder:"URL" secret:""`
	DatabaseURLFile string `env:"FRONTDESK_DATABASE_URL_FILE" placeholder:"FILE"`
}

// Dir returns the folder, the default one when the setting is empty.
func (d DataFolder) Dir() string {
	faults{}.settle(&d)
	return d.Data
}

// IsShared reports whether the records are in a PostgreSQL database, which several instances may share.
func (d DataFolder) IsShared() bool { return d.DatabaseURL != "" || d.DatabaseURLFile != "" }

// Records returns where the records are and the name of the setting that decides it.
// The error names that setting and holds no password.
func (d DataFolder) Records() (options records.Options, setting string, err error) {
	wrong := faults{}
	address, setting := wrong.secret("FRONTDESK_DATABASE_URL", d.DatabaseURL, d.DatabaseURLFile)
	options = records.Options{Dir: d.Dir(), URL: address}
	wrong.add(setting, options.Check())
	if address == "" && wrong[setting] == nil {
		setting = "FRONTDESK_DATA"
	}
	return options, setting, wrong.join()
}

// OpenRecords opens the records: how says whether they must be there, keep their schema, or
// may be away. If they must be there and are not, it fails with records.ErrNoDatabase; other
// errors name the setting.
func (d DataFolder) OpenRecords(ctx context.Context, how records.Options) (*records.Store, error) {
	options, setting, err := d.Records()
	if err != nil {
		return nil, err
	}
	how.Dir, how.URL = options.Dir, options.URL
	store, err := records.Open(ctx, how)
	if err != nil && !errors.Is(err, records.ErrNoDatabase) { // which says where
		err = fmt.Errorf("%s: %w", setting, err)
	}
	return store, err
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
		wrong.addf("FRONTDESK_SIGNING_KEY", "is required with a PostgreSQL database, "+
			"so that all instances sign with the same key; make one with: openssl genpkey -algorithm ed25519")
	}
}

// MailServer is where mails go, and their addresses. serve and the command that resends a mail read it.
type MailServer struct {
	SMTPURL     string `name:"smtp-url" env:"FRONTDESK_SMTP_URL" group:"first" placeholder:"URL" secret:""`
	SMTPURLFile string `name:"smtp-url-file" env:"FRONTDESK_SMTP_URL_FILE" group:"first" placeholder:"FILE"`
	MailTo      string `env:"FRONTDESK_MAIL_TO" group:"first" placeholder:"ADDRESS"`
	MailFrom    string `env:"FRONTDESK_MAIL_FROM" group:"first" placeholder:"ADDRESS"`
	// Sender is the one of desk.Mail. It replaces the mail server.
	Sender mailer.Sender `kong:"-"`
}

// Account returns the account of a command that sends. It has no default, because the command cannot know where a
// service without one keeps its mails.
func (m MailServer) Account(dir string) (mailer.Account, error) {
	wrong := faults{}
	account, setting := m.account(wrong, dir, true)
	if !account.IsSet() {
		wrong.addf(setting, "is required to send a mail: set it as for frontdesk serve (file: if that keeps its "+
			"mails as files)")
	}
	return account.OrNobody(), wrong.join()
}

// account returns the account that the settings name. If they name no mail server and orKept is set, it returns the
// account that the owner's pages keep in the data folder dir. Without either, Transport is mailer.Unset. setting is the
// name of the setting for the mail server.
func (m MailServer) account(wrong faults, dir string, orKept bool) (account mailer.Account, setting string) {
	target, setting := wrong.secret("FRONTDESK_SMTP_URL", m.SMTPURL, m.SMTPURLFile)
	account = mailer.Account{Transport: mailer.Unset{}, From: m.MailFrom, To: m.MailTo}
	wrong.addMail(account)
	var err error
	switch {
	case wrong[setting] != nil:
	case m.Sender != nil:
		account.Transport = mailer.Own(m.Sender)
	case target != "":
		account.Transport, err = mailer.Parse(target, dir)
		wrong.add(setting, err)
	case orKept:
		kept, err := mailer.ReadKept(dir)
		wrong.add("FRONTDESK_DATA", err)
		if kept.Server != "" {
			account, _ = kept.Account() // checked by ReadKept
			account.From, account.To = cmp.Or(m.MailFrom, account.From), cmp.Or(m.MailTo, account.To)
		}
	}
	return account, setting
}

// addMail adds what is wrong with the addresses of an account. Empty ones are not set.
func (wrong faults) addMail(account mailer.Account) {
	if account.To != "" {
		_, err := mailer.ParseRecipients(account.To)
		wrong.add("FRONTDESK_MAIL_TO", err)
	}
	if account.From != "" {
		_, err := mailer.ParseAddress(account.From)
		wrong.add("FRONTDESK_MAIL_FROM", err)
	}
}

// Selection is how an answer is chosen. serve and the owner's commands that try answers
// read it.
type Selection struct {
	Encoder         Switch `env:"FRONTDESK_ENCODER" group:"tuning" default:"on" placeholder:"on|off"`
	AnswerPrecision Share  `env:"FRONTDESK_ANSWER_PRECISION" group:"tuning" placeholder:"SHARE" min:"0.5" max:"0.995"`
}

// settled is the selection with its values. The error names each setting that is wrong.
func (s Selection) settled() (Selection, error) {
	wrong := faults{}
	wrong.settle(&s)
	return s, wrong.join()
}

// Vectors returns the files that keep what the encoder made of the texts of a content folder: kept, which may be
// empty, and the file that frontdesk check --cache has put into the folder.
func Vectors(kept, contentFolder string) semantic.Files {
	files := semantic.Files{Kept: kept}
	if contentFolder != "" {
		files.Shipped = filepath.Join(contentFolder, content.VectorsFile)
	}
	return files
}

// BuildAnswerer returns the builder for these settings and the embedder, nil when the encoder is off.
// A precision in the settings overrides that of the content. The vectors of the entries are kept in files. report is
// called when one of them cannot be read or written.
func (s Selection) BuildAnswerer(files semantic.Files, report func(error)) (faq.Builder, *semantic.Embedder, error) {
	s, err := s.settled()
	if err != nil || !s.Encoder.Value {
		return s.precise(faq.New), nil, err
	}
	multilingual, err := encoder.Multilingual()
	if err != nil {
		return nil, nil, err
	}
	embedder := semantic.NewEmbedder(multilingual, semantic.Shipped(), files, report)
	return s.precise(faq.With(embedder)), embedder, nil
}

// precise gives answerers the precision that is set, if one is.
func (s Selection) precise(builder faq.Builder) faq.Builder {
	return func(approved content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *faq.Answerer {
		approved.Precision = cmp.Or(s.AnswerPrecision.Value, approved.Precision)
		return builder(approved, unanswered, resolveURL)
	}
}

// Check returns an error that names each setting that is wrong.
func (s Selection) Check() error {
	_, err := s.settled()
	return err
}

// Backups are when backups are made and where they are. serve and the command that makes
// one read it.
type Backups struct {
	Backup string `env:"FRONTDESK_BACKUP" group:"first" default:"off" placeholder:"WHEN"`
}

// keptBackups is how many daily backups are kept.
const keptBackups = 14

// backupTime is when the daily backup is made, after midnight UTC.
const backupTime = 3*time.Hour + 30*time.Minute

// parse returns the folder, empty for the default one, and whether the service makes
// backups.
func (b Backups) parse() (folder string, daily bool, err error) {
	when, folder, named := strings.Cut(b.Backup, ":")
	switch {
	case when == "daily" && (!named || folder != ""):
		return folder, true, nil
	case b.Backup != "off" && b.Backup != "":
		err = fmt.Errorf("%q is not one of off, daily, daily:DIR", b.Backup)
	}
	return "", false, err
}

// Daily returns the daily backups of a data folder and of content. The error names each
// setting that is wrong.
func (b Backups) Daily(data DataFolder, content string) (*backup.Daily, error) {
	wrong := faults{}
	options, _, err := data.Records()
	folder, _, parseErr := b.parse()
	wrong.add("FRONTDESK_BACKUP", parseErr)
	return &backup.Daily{
		Service: backup.Service{Records: options, Content: content},
		Folder:  cmp.Or(folder, filepath.Join(data.Dir(), "backups")), Keep: keptBackups, At: backupTime,
	}, errors.Join(err, wrong.join())
}

// DailyBackup returns the daily backups of the service, or nil if it makes none.
func (s Settings) DailyBackup() (*backup.Daily, error) {
	if _, daily, err := s.parse(); !daily {
		return nil, err
	}
	return s.Daily(s.DataFolder, s.Content)
}
