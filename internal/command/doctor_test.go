package command_test

import (
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/doctor"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// A running service is examined as its operator would, then with a wrong password.
func TestDoctor(t *testing.T) {
	t.Parallel()
	options := mailtest.Options{User: "desk", Password: "s3cr3t-p4ssword"}
	mail := mailtest.Listen(t, options)
	d := harness.Start(t, harness.WithoutMail)
	line := "doctor --addr " + d.Addr().String() + " --base-url " + d.URL + " --data " + d.Settings.Data + " --content " + sampleFolder(t) +
		" --mail-to owner@desk.example --mail-from desk@desk.example --smtp-url "
	_, stderr := run(t, 0, line+mail.URL(), "ok       settings ", "ok       data folder ", "ok       disk ", "ok       database ", "ok       signing key ",
		"ok       mail ", "ok       base address ")
	expect.Same(t, "the errors", "", stderr)
	out, stderr := run(t, 1, line+strings.Replace(mail.URL(), options.Password, "t00-s3cr3t", 1)+" --json", "checks that failed: 1")
	expect.Lacks(t, "the output", out+stderr, "t00-s3cr3t")
	examined := expect.JSON[[]doctor.Examined](t, []byte(out))
	for _, one := range examined {
		if (one.Name == "mail") != (one.Result == doctor.Failed) {
			t.Errorf("%s: %s %s", one.Name, one.Result, one.What)
		}
	}
}

func TestDoctorSettings(t *testing.T) {
	t.Parallel()
	line := "doctor --settings --addr 127.0.0.1:9000 --smtp-url smtp://desk:s3cr3t-p4ssword@mail.example --mail-to a@desk.example --mail-from "
	out, _ := run(t, 0, line+"b@desk.example", "The first settings:", "\n  FRONTDESK_BASE_URL    default  http://localhost:9000\n",
		"\n  FRONTDESK_SMTP_URL    flag     (set)\n")
	expect.Lacks(t, "the output", out, "s3cr3t")
	run(t, 1, line+"b", "FRONTDESK_MAIL_FROM")
	out, _ = run(t, 0, "doctor --settings --json")
	settings := expect.JSON[[]config.Setting](t, []byte(out))
	expect.Same(t, "the first", config.Setting{Name: "FRONTDESK_ADDR", Group: "first", Value: ":8080", Source: "default"}, settings[0])
}
