package site

import (
	_ "embed"
	"strings"
	"text/template"

	"frontdesk/contract"
)

//go:embed developers.md.tmpl
var developersSource string

var developers = template.Must(template.New("developers").Funcs(template.FuncMap{
	"anchor": contract.ErrorAnchor,
	"header": contract.Policy.Header,
}).Parse(developersSource))

// Developers is the developer page: every endpoint, limit and bound, and under
// the anchors errors-<code> the errors that a problem's type points to.
func Developers(business, baseURL string) (html, source []byte) {
	var b strings.Builder
	data := struct {
		Business, Base     string
		Codes              []contract.CodeInfo
		Ask, Contact       contract.Policy
		CapAsk, CapContact int
		Bounds             map[string]int
	}{
		Business: business, Base: baseURL,
		Codes: contract.Codes(),
		Ask:   contract.AskPolicy, Contact: contract.ContactPolicy,
		CapAsk: contract.CapAsk, CapContact: contract.CapContact,
		Bounds: map[string]int{
			"q": contract.MaxQuestion, "name": contract.MaxName, "business": contract.MaxBusiness,
			"message": contract.MaxMessage, "email": contract.MaxEmail, "comment": contract.MaxComment,
		},
	}
	if err := developers.Execute(&b, data); err != nil {
		panic(err) // the template and its data are our own
	}
	return render("Developers · "+business, b.String()), []byte(b.String())
}
