package owner

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"frontdesk/content"
	"frontdesk/mailer"
)

// Mail is where mails go.
type Mail struct {
	mailer.Account
	Kept  mailer.Kept // what the pages have set up; zero without
	Fixed bool        // settings decide, so the pages cannot change it
}

// Host is the mail server; empty without one.
func (m Mail) Host() string {
	address, err := url.Parse(m.String())
	if err != nil || m.KeepsFiles() {
		return ""
	}
	return address.Hostname()
}

// encryptions are the choices of the form, and schemes how the server's address begins and ends with each.
var (
	encryptions = []string{"starttls", "tls", "none"}
	schemes     = map[string]string{"starttls": "smtp?tls=required", "tls": "smtps", "none": "smtp?tls=none"}
)

// mailKeys are the fields of the form that sets up mail.
var mailKeys = []content.Key{
	{Name: "host", Kind: content.KindLine, Required: true},
	{Name: "port", Kind: content.KindPlace},
	{Name: "encryption", Kind: content.KindChoice, Required: true, Options: encryptions},
	{Name: "user", Kind: content.KindLine},
	{Name: "password", Kind: kindPassword},
	{Name: "from", Kind: content.KindEmail, Required: true},
	{Name: "to", Kind: content.KindLine, Required: true},
}

// mailForm returns the values of the form, by field name.
func mailForm(kept mailer.Kept) map[string]string {
	server, _ := url.Parse(kept.Server) // zero without one; Kept was checked
	if kept.Server == "" {
		return map[string]string{"encryption": encryptions[0]}
	}
	encryption := encryptions[0]
	for name, scheme := range schemes {
		if scheme == strings.TrimSuffix(server.Scheme+"?"+server.RawQuery, "?") {
			encryption = name
		}
	}
	return map[string]string{
		"host": server.Hostname(), "port": server.Port(), "encryption": encryption, "user": server.User.Username(),
		"from": kept.From, "to": kept.To,
	}
}

// keptOf is the account that a form describes. An empty password stays as it is kept for the same server and user.
func keptOf(form map[string]string, before mailer.Kept) mailer.Kept {
	scheme, query, _ := strings.Cut(schemes[form["encryption"]], "?")
	server := url.URL{Scheme: scheme, Host: form["host"], RawQuery: query}
	if form["port"] != "" {
		server.Host = net.JoinHostPort(form["host"], form["port"])
	}
	password := form["password"]
	if kept, err := url.Parse(before.Server); err == nil && password == "" && kept.Hostname() == form["host"] &&
		kept.User.Username() == form["user"] {
		password, _ = kept.User.Password()
	}
	if form["user"] != "" || password != "" {
		server.User = url.UserPassword(form["user"], password)
	}
	return mailer.Kept{Server: server.String(), From: form["from"], To: form["to"]}
}

// setUpMail shows the form of the mail server. A form that was sent is tried by a real mail before it counts.
func (p *Pages) setUpMail(w http.ResponseWriter, r *http.Request, s session) error {
	mail := p.Service.Mail()
	form, wrong, reason := mailForm(mail.Kept), map[string]string{}, ""
	var raw error
	if r.Method == http.MethodPost && !mail.Fixed {
		for _, key := range mailKeys {
			form[key.Name] = strings.TrimSpace(r.PostFormValue(key.Name))
		}
		kept := keptOf(form, mail.Kept)
		if wrong = mailFaults(s, form, kept); len(wrong) == 0 {
			raw = p.Service.SetMail(r.Context(), kept)
			if raw == nil {
				return redirect(w, r, pathState, "mail")
			}
			p.Log.Warn().Err(raw).Msg("the mail server was not set up")
			reason = s.Text("owner.reason.other")
			if failure, isMail := errors.AsType[*mailer.Error](raw); isMail {
				reason = p.mailReason(s, failure.Stage, form["host"], kept.To)
			}
		}
	}
	var fields []shownField
	for _, key := range mailKeys {
		shown := shownField{field: field{Key: key, Input: key.Name}, session: s, Value: form[key.Name],
			Label: s.Text("owner.setup." + key.Name), Hint: s.TextIf("owner.setup." + key.Name + ".hint")}
		for _, name := range key.Options {
			shown.Options = append(shown.Options, option{name, s.Text("owner.setup.encryption." + name)})
		}
		if fault := wrong[key.Name]; fault != "" {
			shown.Faults = []string{fault}
		}
		if key.Kind == kindPassword {
			shown.Value = nil // never shown again
		}
		fields = append(fields, shown)
	}
	status := http.StatusOK
	if len(wrong) > 0 || raw != nil {
		status = http.StatusBadRequest
	}
	return p.show(w, r, s, view{Title: s.Text("owner.setup.title"), Here: pathState, Status: status}, "mail", data{
		"Mail": mail, "Fields": fields, "Reason": reason, "Raw": raw,
	})
}

// mailFaults are the messages beside the fields that are wrong.
func mailFaults(s session, form map[string]string, kept mailer.Kept) map[string]string {
	wrong := map[string]string{}
	if _, err := mailer.ParseAddress(form["from"]); err != nil {
		wrong["from"] = s.Text("owner.content.email", form["from"])
	}
	if _, err := mailer.ParseRecipients(form["to"]); err != nil {
		wrong["to"] = s.Text("owner.content.email", form["to"])
	}
	server, err := mailer.Parse(kept.Server, "")
	switch {
	case form["host"] == "" || strings.ContainsAny(form["host"], "/@: "):
		wrong["host"] = s.Text("owner.setup.host.wrong")
	case strings.Trim(form["port"], "0123456789") != "" || len(form["port"]) > 5:
		wrong["port"] = s.Text("owner.setup.port.wrong")
	case (form["user"] == "") != (passwordOf(kept) == ""):
		wrong["password"] = s.Text("owner.setup.password.wrong")
	case err != nil && form["encryption"] == "none":
		wrong["encryption"] = s.Text("owner.setup.encryption.wrong")
	case err != nil || server == nil:
		wrong["host"] = s.Text("owner.setup.host.wrong")
	}
	return wrong
}

func passwordOf(kept mailer.Kept) string {
	server, err := url.Parse(kept.Server)
	if err != nil {
		return ""
	}
	password, _ := server.User.Password()
	return password
}
