package content

import (
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestPhones(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ phone, country, dial string }{
		{"+497615550123", "", "+497615550123"},
		{"(415) 555-0123", "US", "+14155550123"},
		{"+44 (0)20 7946 0123", "GB", "+442079460123"},
		{"+44 (0)20 7946 0123", "DE", "+442079460123"},
		{"0761 123456", "DE", "+49761123456"},
		{"0761 123456", "", "0761123456"},
		{"06 1234 5678", "IT", "+390612345678"}, // Italy keeps its zero
		{"+44 20", "GB", "refused"},
		{"+999 761 123456", "DE", "refused"},
		{"0761 1234567890123456", "DE", "refused"},
		{"call us", "DE", "refused"},
		{"1-800-FLOWERS", "US", "refused"},
	} {
		address := ""
		if tt.country != "" {
			address = "  address: {city: C, country: " + tt.country + "}\n"
		}
		loaded, err := Load(files{catalogFile: shopCatalog(address+"  phone: \""+tt.phone+"\"\n", "")})
		got := "refused"
		if err == nil {
			got = Dial(&contract.Facts{Phone: loaded.Phone, Address: loaded.Address})
		}
		expect.Same(t, tt.phone+" in "+tt.country, tt.dial, got)
	}
}

func TestCountries(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"GB": "GB", "UK": "GB", "de": "DE", "Germany": "DE", "Österreich": "AT", "Polska": "PL", "USA": "US", "Deutschlande": "", "EU": "", "xx1": "", "": "",
	} {
		expect.Same(t, text, want, countryOf(text))
	}
}

func TestZoneOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ city, country, want string }{
		{"Vienna", "", "Europe/Vienna"}, {"vienna", "DE", "Europe/Vienna"}, {"New York", "US", "America/New_York"}, {"Zürich", "CH", "Europe/Zurich"},
		{"São Paulo", "BR", "America/Sao_Paulo"}, {"Wien", "AT", "Europe/Vienna"}, {"Leeds", "GB", "Europe/London"}, {"Leeds", "", "Europe/Berlin"},
		{"Europe/Vien", "AT", "Europe/Vienna"},
	} {
		expect.Same(t, tt.city, tt.want, zoneOf(tt.city, tt.country))
	}
}
