package questions

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// month matches the names of months in the languages of the site, and their short forms.
const month = `(?:jan|gen|ene|jän|sty|feb|fév|fev|lut|mar|mär|maa|mrt|apr|avr|abr|kwi|may|mai|maj|mag|mei|jun|jui|` +
	`giu|cze|jul|lug|lip|aug|aoû|ago|sie|sep|set|wrz|oct|okt|out|ott|paź|nov|lis|dec|déc|dez|dic|gru)\pL*\.?`

// Replacements of parts that identify a person.
const (
	maskedMail   = "[mail]"
	maskedURL    = "[url]"
	maskedNumber = "[number]"
	maskedName   = "[name]"
)

var (
	// A word with an @ in it: a mail address, or a name at some service.
	mailPattern = regexp.MustCompile(`[^\s<>"'()\[\],;]*[@＠](?:[^\s<>"'()\[\],;]*[\pL\pN@＠])?`)
	// An address with a scheme, one that begins with www, or a name of two parts
	// or more whose last one is letters, with a path or without.
	urlPattern = regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*://|www\.)\S+|(?:[\pL\pN-]+\.)+\pL{2,}(?:[:/]\S*)?`)
	// An account number: two letters, two digits and groups of four.
	ibanPattern = regexp.MustCompile(`\b[A-Z]{2}\pN{2}(?:[ -]?[A-Z\pN]{4}){2,7}(?:[ -]?[A-Z\pN]{1,4})?\b`)
	// How people introduce themselves, in the languages of the site, and the name that follows: up to three words that
	// begin with capital letters; or two, and a third with a capital letter, where the first has none.
	namePattern = regexp.MustCompile(`(?i)((?:\bmy name(?: is|['’]s)|\bname:|\bmein name ist|\bich hei(?:ß|ss)e|` +
		`\bmon nom est|\bje m['’]appelle|\bmi nombre es|\bme llamo|\bil mio nome è|\bmi chiamo|\bmijn naam is|\bik heet|` +
		`\bmeu nome é|\bchamo-me|\bme chamo|\bnazywam się|\bmam na imię):?\s+)(?:(?:\pL|dr|mrs?|ms|prof)\.\s+)*` +
		`(?:(?-i:\p{Lu})[\pL\pM'’-]*` +
		`(?:\s+(?-i:(?:(?:v[ao]n|de[rnl]?|te[rn]?|d[ai]s?|dos?|la)\s+)*\p{Lu})[\pL\pM'’-]*){0,2}|` +
		`[\pL\pM'’-]+(?:\s+[\pL\pM'’-]+)?(?:\s+(?-i:\p{Lu})[\pL\pM'’-]*)?)`)
	// A word with a digit behind one that announces the number of an order, a customer or a document.
	orderPattern = regexp.MustCompile(`(?i)((?:\b(?:order|invoice|booking|reservation|customer|client|passport|` +
		`insurance|membership|bestell|bestellung|auftrag|rechnung|buchung|kunden?|commande|facture|réservation|pedido|` +
		`factura|reserva|encomenda|fatura|ordine|fattura|prenotazione|bestelling|factuur|zamówienie|faktura)` +
		`(?:\s*-?(?:nummer|number|id|code))?|\b(?:no|nr|num|number|nummer|numéro|número|numero|numer)\b|[#№]|n[°º])` +
		`[\s.:#№°º]*)(?:(?-i:\p{Lu}+)[/-])*[\pL\pN]*\pN[\pL\pN/-]*`)
	// An amount with a space in it, or digits of any script with what is written between those of one number.
	numberPattern = regexp.MustCompile(`[1-9]\pN{0,2}\s\pN{3}(?:[.,]\pN{1,2})?\s?(?:€|zł)|` +
		`[+(]*\pN(?:(?:[\s().,:/+'’_−\p{Pd}]|[·•]?\pN)*\pN)?`)
	// Numbers that stay: amounts, times, parts of a date, years, and ranges of them.
	harmlessPattern = regexp.MustCompile(`^(?:[1-9]\pN{0,2}[.,'’]\pN{3}(?:[.,]\pN{1,2})?|\pN{1,4}[.,:]\pN{1,2}|` +
		`\pN{1,3}(?:[.,:]\pN{1,2})?\s?[/−\p{Pd}]\s?\pN{1,3}(?:[.,:]\pN{1,2})?|\pN{1,2}\.\pN{1,2}\.\s[0-2]?\pN:[0-5]\pN|` +
		`.*(?:€|zł)|(?:19|20)\pN{2}\s?[/−\p{Pd}]\s?(?:19|20)\pN{2})$`)
	// A day with its year, which may be a date of birth.
	dayPattern = regexp.MustCompile(`^(?:[0-9]{1,2}[./-][0-9]{1,2}[./-](20[0-9]{2})|(20[0-9]{2})-[0-9]{1,2}-[0-9]{1,2})$`)
	// The same with the name of the month, which may come first.
	namedDayPattern = regexp.MustCompile(`(?i)\b(?:[0-9]{1,2}(?:\.|º|\pL{1,2})?[\s/-]+(?:(?:del?|of)\s+)?` + month +
		`|` + month + `\s+[0-9]{1,2}(?:\pL{2})?),?[\s/-]+(?:del?\s+)?(?:19|20)[0-9]{2}\b`)
)

// fewDigits is how many digits do not identify a person, unless a word announces them.
const fewDigits = 4

// Mask hides what identifies a person in a question: mail and web addresses, names with
// which people introduce themselves, numbers of telephones, accounts, cards and orders, and
// dates of birth. Ages, amounts, times and future days stay, because the question is about them.
func Mask(question string) string {
	question = mailPattern.ReplaceAllLiteralString(question, maskedMail)
	question = urlPattern.ReplaceAllLiteralString(question, maskedURL)
	question = namePattern.ReplaceAllString(question, "${1}"+maskedName)
	question = ibanPattern.ReplaceAllLiteralString(question, maskedNumber)
	question = orderPattern.ReplaceAllString(question, "${1}"+maskedNumber)
	question = namedDayPattern.ReplaceAllStringFunc(question, func(day string) string {
		if isPast(day[len(day)-4:]) {
			return maskedNumber
		}
		return day
	})
	return numberPattern.ReplaceAllStringFunc(question, func(number string) string {
		for part := range strings.SplitSeq(number, ", ") {
			if !isHarmless(strings.TrimSpace(part)) {
				return maskedNumber
			}
		}
		return number
	})
}

// isHarmless reports whether a number does not identify a person.
func isHarmless(number string) bool {
	digits := 0
	for _, r := range number {
		if unicode.IsNumber(r) {
			digits++
		}
	}
	if digits <= fewDigits || harmlessPattern.MatchString(number) {
		return true
	}
	if day := dayPattern.FindStringSubmatch(number); day != nil {
		return !isPast(day[1] + day[2])
	}
	return false
}

func isPast(year string) bool { return year < strconv.Itoa(time.Now().Year()) }

var maskPattern = regexp.MustCompile(`\[(mail|url|number|name)\]`)

// IsMasked reports whether something was hidden in a question.
func IsMasked(question string) bool { return maskPattern.MatchString(question) }
