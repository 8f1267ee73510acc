package content

import (
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestPhones(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, phone, country, dial string }{
		{"as devices dial it", "+497615550123", "", "+497615550123"},
		{"an area code in brackets", "(415) 555-0123", "US", "+14155550123"},
		{"a zero that is left out abroad", "+44 (0)20 7946 0123", "GB", "+442079460123"},
		{"the same in another country", "+44 (0)20 7946 0123", "DE", "+442079460123"},
		{"within the country", "0761 123456", "DE", "+49761123456"},
		{"within no country", "0761 123456", "", "0761123456"},
		{"Italy keeps its zero", "06 1234 5678", "IT", "+390612345678"},
		{"too short", "+44 20", "GB", "refused"},
		{"a code of no country", "+999 761 123456", "DE", "refused"},
		{"too long", "0761 1234567890123456", "DE", "refused"},
		{"words", "call us", "DE", "refused"},
		{"letters of a keypad", "1-800-FLOWERS", "US", "refused"},
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
		expect.Same(t, tt.name, tt.dial, got)
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
