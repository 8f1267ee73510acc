package owner

import (
	"cmp"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/internal/notify"
	"frontdesk/mailer"
)

// encryptions are the choices of the form, and schemes how the server's address begins and ends with each.
var (
	encryptions = []string{"starttls", "tls", "none"}
	schemes     = map[string]string{"starttls": "smtp?tls=required", "tls": "smtps", "none": "smtp?tls=none"}
)

// mailForm is the form that sets up mail.
var mailForm = form{texts: "owner.setup.", fields: fieldsOf("", []content.Key{
	{Name: "host", Required: true},
	{Name: "port", Kind: content.KindPlace},
	{Name: "encryption", Kind: content.KindChoice, Required: true, Options: encryptions},
	{Name: "user"},
	{Name: "password", Kind: kindPassword},
	{Name: "from", Kind: content.KindEmail, Required: true},
	{Name: "to", Required: true},
})}

// openMail returns the values of the form, with the password, which is never shown.
func openMail(kept mailer.Kept) values {
	server, _ := url.Parse(kept.Server) // zero without one; Kept was checked
	encryption := encryptions[0]
	for name, scheme := range schemes {
		if scheme == strings.TrimSuffix(server.Scheme+"?"+server.RawQuery, "?") {
			encryption = name
		}
	}
	password, _ := server.User.Password()
	return values{
		"host": server.Hostname(), "port": server.Port(), "encryption": encryption, "user": server.User.Username(),
		"password": password, "from": kept.From, "to": kept.To,
	}
}

// keptOf is the account that a form describes.
func keptOf(sent values) mailer.Kept {
	host, user, password := sent.text("host"), sent.text("user"), sent.text("password")
	scheme, query, _ := strings.Cut(schemes[sent.text("encryption")], "?")
	server := url.URL{Scheme: scheme, Host: host, RawQuery: query}
	if port := sent.text("port"); port != "" {
		server.Host = net.JoinHostPort(host, port)
	}
	if user != "" || password != "" {
		server.User = url.UserPassword(user, password)
	}
	return mailer.Kept{Server: server.String(), From: sent.text("from"), To: sent.text("to")}
}

// setUpMail shows the form of the mail server. A form that was sent is tried by a real mail before it counts.
func (v visit) setUpMail() error {
	account, err := mailer.ReadKept(v.Curator.Data)
	if err != nil {
		v.Log.Error().Err(err).Msg("cannot read the mail account")
	}
	before, wrong, reason := openMail(account), map[string]string{}, ""
	sent := before
	var raw error
	if v.Method == http.MethodPost && !v.MailFixed {
		sent = read(mailForm.fields, v.PostForm)
		if sent["password"] == nil && sent.text("host") == before.text("host") && sent.text("user") == before.text("user") {
			sent["password"] = before["password"]
		}
		kept := keptOf(sent)
		if wrong = v.mailFaults(sent, kept); len(wrong) == 0 {
			raw = v.setMail(kept)
			if raw == nil {
				return v.redirect(pathState, "mail")
			}
			v.Log.Warn().Err(raw).Msg("the mail server was not set up")
			reason = v.Text("owner.reason.other")
			if failure, isMail := errors.AsType[*mailer.Error](raw); isMail {
				reason = cmp.Or(v.TextIf("owner.setup.failed."+strings.ToLower(failure.Stage)),
					v.mailReason(failure.Stage, sent.text("host"), kept.To))
			}
		}
	}
	var fields []shownField
	for _, part := range mailForm.fields {
		shown := v.shown(mailForm, part)
		if part.Kind != kindPassword { // a kept password is never shown
			shown.Value = sent[part.Input]
		}
		if fault := wrong[part.Input]; fault != "" {
			shown.Faults = []string{fault}
		}
		fields = append(fields, shown)
	}
	focusFault(fields)
	if len(wrong) > 0 || raw != nil {
		v.status = http.StatusBadRequest
	}
	return v.show(v.Text("owner.setup.title"), "mail", data{
		"Mail": v.Mail.Now(), "Fixed": v.MailFixed, "Fields": fields, "Reason": reason, "Raw": raw,
	})
}

// setMail sends a test mail by an account, then keeps and uses it. Nothing changes on an error, which is a
// *mailer.Error for a mail that was not accepted.
func (v visit) setMail(kept mailer.Kept) error {
	account, err := kept.Account()
	if err != nil {
		return err
	}
	test := notify.Tests{Mail: account, From: account.From, To: account.To,
		Language: v.live().Language()}
	if err := test.Send(v.Context())[0].Err; err != nil {
		return err
	}
	if err := kept.Write(v.Curator.Data); err != nil {
		return err
	}
	v.Mail.Set(account)
	if err := v.Store.RetryFailed(v.Context(), time.Now()); err != nil { // each is tried again within an hour anyway
		v.Log.Error().Err(err).Msg("cannot resend failed mails now")
	}
	return nil
}

// mailFaults are the messages beside the fields that are wrong.
func (v visit) mailFaults(sent values, kept mailer.Kept) map[string]string {
	wrong := map[string]string{}
	if _, err := mailer.ParseAddress(kept.From); err != nil {
		wrong["from"] = v.Text("owner.content.email", kept.From)
	}
	if _, err := mailer.ParseRecipients(kept.To); err != nil {
		wrong["to"] = v.Text("owner.content.email", kept.To)
	}
	host, port, fault := sent.text("host"), sent.text("port"), ""
	server, err := mailer.Parse(kept.Server, "")
	switch {
	case host == "" || strings.ContainsAny(host, "/@: "):
		fault = "host"
	case strings.Trim(port, "0123456789") != "" || len(port) > 5:
		fault = "port"
	case (sent.text("user") == "") != (sent.text("password") == ""):
		fault = "password"
	case err != nil && sent.text("encryption") == "none":
		fault = "encryption"
	case err != nil || server == nil:
		fault = "host"
	}
	if fault != "" {
		wrong[fault] = v.Text("owner.setup." + fault + ".wrong")
	}
	return wrong
}
