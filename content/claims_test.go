package content

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/text/currency"

	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	for want, texts := range map[string][]string{
		"a number of customers": {
			"We serve over 500 happy customers in Leipzig.", "Trusted by 1,000 businesses.",
			"Join thousands of companies.", "We have 120+ clients.", "Wir haben schon 300 Kunden.",
		},
		"a return on investment": {
			"You get 30 % more bookings.", "Our customers see an ROI of 250%.",
			"It increases your revenue by 20 percent.", "The service pays for itself.", "It doubles your bookings!",
			"The system saves you 30 % of your time.",
		},
		"a certification": {
			"We are ISO 27001 certified.", "Our service is certified by the chamber.",
			"SOC 2 reports are available.", "No problem. We are certified under that norm.",
		},
		"legal, tax or medical advice": {
			"We offer legal advice.", "Our team gives you free tax and legal advice.", "The fee is tax-deductible.",
			"Take 400 mg twice a day.", "You are legally entitled to your deposit.",
		},
		"": {
			"We work with businesses of one to twenty people.", "Up to 20 customers can book at the same time.",
			"Each of 3 customers gets a reminder.", "We give no legal, tax or medical advice.",
			"We can't offer legal advice.", "We are not ISO 27001 certified.",
			"Ask us about your return on investment.", "Dates are written after ISO 8601.",
			"Bring a certified copy of the contract.", "The price rises by 3 % a year.",
			"Version 2.0 has more than 40 settings for each user.", "Our customers write to us by mail.",
			"Wir geben keine Steuerberatung.", "Prices from 49 EUR. A visit takes 30 minutes, more or less.",
			"Ask a lawyer what you are legally required to keep.", "Students pay 10 per cent less on Tuesdays.",
			"Members save 10 % on every order.", "Express costs 20 % more than usual.",
		},
	} {
		for _, text := range texts {
			expect.Same(t, text, want, strings.Join(claimsIn(text), ", "))
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"49 to 99 EUR for each":        "49 EUR; 99 EUR",
		"49–99 €, or 390€, never 49 €": "49 €; 99 €; 390 €",
		"from €49 to €99":              "€49; €99",
		"EUR 1,200.50 or $1'000":       "EUR 1,200.50; $1'000",
		"1.200 Euro und 1 300 EUR":     "1.200 Euro; 1 300 EUR",
		"40 euros, 50 Dollars":         "40 euros; 50 Dollars",
		"R$ 50 or US$49, ₹1,00,000":    "R$ 50; US$49; ₹1,00,000",
		"450 kr, 49,99 zł, 1200円":      "450 kr; 49,99 zł; 1200 円",
		"CHF 50.– or 60.– CHF":         "60 CHF; CHF 50",
		"50zł, 50 лв., 450:- each":     "50 zł; 50 лв; 450 :-",
		"between 5 and $9, SFr. 20":    "$9; SFr. 20",
		"価格¥1200、2000円です":              "2000 円; ¥1200",
		"4.500 KWD, 1200.750 BHD":      "4.500 KWD; 1200.750 BHD",
		"insured up to £5 million":     "",
		"€2–3 Mio. Haftpflicht, $5k":   "5 k", // of kyats
		"Monday to Friday, 9:00–17:00": "",
		"Weg 5a 7, 2 frames, 4th":      "",
		"30 minutes, 5 people, 2026":   "",
	} {
		var found []string
		for _, a := range amountsIn(text) {
			found = append(found, a.String())
		}
		expect.Same(t, text, want, strings.Join(found, "; "))
	}
}

func TestCurrenciesOfAnAmount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ currency, known, want string }{
		{"zł", "GBP", "PLN"}, {"円", "GBP", "JPY"}, {"kr", "GBP", ""}, {"KM", "BAM", "BAM"}, {"km", "BAM", ""}, {"l", "RON", ""},
	} {
		expect.Same(t, tt.currency, tt.want, strings.Join(amount{"20", tt.currency, ""}.codes([]string{tt.known}), " "))
	}
}

func TestTextWarnings(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, files{
		CatalogFile: strings.Replace(goodCatalog, "from: 10", "from: 1200, to: 2400", 1),
		FAQFile: `fallback: F
entries:
  - {id: right, question: A?, answer: "From 1.200 to 2,400.00 EUR, or €2400; 0 EUR at first. Page 5 of RFC 9457, 12 PDF files."}
  - {id: wrong, question: B?, answer: "From 1,100 to 2400 EUR, or 1200 USD, or €1,199.50."}
  - {id: free, question: D?, answer: "It costs 4711 EUR.", prices: free}
  - {id: boast, question: C?, answer: "Fine.\n\nOver 500 customers trust us, and we are ISO 9001 certified."}
`,
		"pages/about.md": "---\nheader: 1\n---\n# About\n\nTrusted by 90 companies.\n",
	})
	const wrong, remove = `faq.yaml:4: the answer of "wrong" says `, " (remove it: the service promises to publish none)"
	const band = ", which is in no pricing band (change the answer, add it to the bands in catalog.yaml, or write prices: free in the entry)"
	want := []string{
		wrong + "1,100 EUR" + band, wrong + "1200 USD" + band, wrong + "€1,199.50" + band,
		`faq.yaml:6: the answer of "boast" seems to contain a number of customers` + remove,
		`faq.yaml:6: the answer of "boast" seems to contain a certification` + remove,
		`pages/about.md:6: the page seems to contain a number of customers` + remove,
	}
	expect.Same(t, "warnings", want, texts(loaded.Warnings(time.Now())))
}

func TestParseAmount(t *testing.T) {
	t.Parallel()
	const no = "is not an amount"
	for code, rows := range map[string][][2]string{
		"EUR": {{"4,80 €", "4.80"}, {"4.8", "4.80"}, {"€ 1.200", "1200"}, {"1.200,5", "1200.50"},
			{"1,200.50 eur", "1200.50"}, {"20,–", "20"}, {"007", "7"}, {"0", "0"}, {"Free", "0"},
			{"4.80 to 5", no}, {"-4", no}, {"4\nto: 5", no}, {"4\n5", no}, {"", no}, {"49 99", no},
			{"1.00.000", no}, {"4 miles", no}, {"4⁹⁹ €", no},
			{"4,80 $", `"4,80 $" is in $, but the price is in EUR`},
			{"49 inr", `"49 inr" is in INR, but the price is in EUR`},
			{"0.555", `"0.555" reads as 0.555, but EUR has 2 digits after the point`}},
		"CHF": {{"CHF 1'200.-", "1200"}, {"CHF 50.–", "50"}, {"50 fr", "50"}},
		"CAD": {{"$49", "49"}, {"US$49", `"US$49" is in USD, but the price is in CAD`}},
		"USD": {{"US$49", "49"}},
		"PLN": {{"1 450 zł", "1450"}, {"49,99 zł", "49.99"}},
		"BRL": {{"R$ 50", "50"}},
		"SEK": {{"450 kr", "450"}, {"450:-", "450"}},
		"DKK": {{"450 kr.", "450"}},
		"INR": {{"₹1,00,000", "100000"}, {"Rs. 12,50,000.50", "1250000.50"}, {"1,00,00", no}},
		"JPY": {{"1,500", "1500"}, {"1200.00", "1200"}, {"1,200.00", "1200"}, {"1200円", "1200"},
			{"￥１２００", "1200"}, {"1200.5", `"1200.5" reads as 1200.5, but JPY has 0 digits after the point`}},
		"VND": {{"12.000 ₫", "12000"}, {"50.000đ", "50000"}},
		"KWD": {{"1.500", "1.500"}, {"2", "2"}, {"1000.500", "1000.500"}, {"1,000.500 KWD", "1000.500"},
			{"2 KD", "2"}, {"4,500", `"4,500" may be 4.500 or 4500 of KWD`}},
		"BHD":  {{"1000", "1000"}},
		"OMR":  {{"4,5", "4.500"}},
		"RUB":  {{"900 руб.", "900"}},
		"IDR":  {{"Rp. 50.000", "50000"}},
		"DEM":  {{"9 DEM", "9"}},
		"XYZ?": {{"4", no}},
	} {
		for _, tt := range rows {
			got, why := ParseAmount(tt[0], code)
			if why != nil {
				got = why.Message
			}
			if got != tt[1] && (why == nil || !strings.Contains(got, tt[1])) {
				t.Errorf("%q in %s is %s; want %s", tt[0], code, got, tt[1])
			}
		}
	}
}

// What the program writes for a price can be typed, and is found in a text.
func TestWrittenAmounts(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		for _, code := range Currencies("") {
			amount := "15000"
			if digits, _ := currency.Standard.Rounding(currency.MustParseISO(code)); digits == 3 {
				amount += ".000" // 15,000 may be 15
			}
			text := i18n.For(language).Amount(code, amount)
			written, why := ParseAmount(text, code)
			expect.Same(t, language+" "+text, true, why == nil && written == amount)
			if !strings.Contains("CUC EGP FKP GNF LBP NIO RWF", code) { // which have signs such as F.G. and £E
				expect.Same(t, language+" "+text+" in a text", true, SaysAmount("("+text+")", amount, code))
			}
		}
	}
	expect.Same(t, "Friday", false, SaysAmount("Mo–Fr 8–12", "12", "CHF"))
}
