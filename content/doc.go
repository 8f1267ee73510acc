// Package content reads what the owner publishes: one folder of text files and images.
// Load reads and checks all of it, so that the rest of the program can rely on it; Init
// writes a sample to start from.
//
//	catalog.yaml     the business, its services, pricing bands and statements
//	faq.yaml         the fallback and the approved entries
//	golden.yaml      optional: questions that must, and must not, be answered
//	pages/NAME.md    optional: pages of the site in Markdown; optional between two lines
//	                 of --- at the beginning: lang, header (its place in the header)
//	pages/LANG/...   optional: the pages of a further language
//	assets/          optional: images (JPEG, PNG, WebP, AVIF, SVG without scripts)
//
// Files whose names begin with a dot or with README are ignored. Any other file is not
// read, which Warnings reports.
//
// # The YAML files
//
// They are UTF-8, one document of at most 16 MiB. JSON is valid in them. Words
// and numbers need no quotes: 1.10 and 007 stay as they are written. Anchors,
// aliases and tags are refused, because they are nearly always texts that begin
// with *, & or ! and need quotes. Unknown and repeated keys are refused.
//
// catalog.yaml (amounts are decimals with the digits of their currency, such as
// 4.80; a text marked with * may be a map of texts by language):
//
//	business:       name*, summary*; optional languages (language tags such as en,
//	                the site's first), kind, address (street, postal_code, city,
//	                country), phone, email, hours (days: times), closed (dates),
//	                special_hours (dates: times), time_zone (IANA name),
//	                coordinates (latitude, longitude), area_served* and payment*
//	                (lists), profiles (a list of name*, url), booking (address),
//	                tone (formal or informal)
//	services:       a list of id, name*, summary*, description*, pricing_band;
//	                optional includes* (a list), audience*, lang, picture,
//	                picture_alt*, booking
//	pricing_bands:  a list of id, name*, summary*, currency (ISO 4217), from, unit*;
//	                optional to (absent: no upper end), note*, options (a list of
//	                name*, price, and unit* if it is not the band's)
//	statements*:    optional list: what the service does not do
//	brand:          optional: logo, logo_alt*, icon, accent, photo, photo_alt*,
//	                card, developers
//	requests:       optional: name* of a pilot request, ask_business
//	trials:         optional: false takes the workspace server away
//	content_signal: optional: the Content-Signal of robots.txt, off for none
//
// faq.yaml:
//
//	fallback*:      what a caller gets when no approved entry answers
//	precision:      optional: the share of the selector's answers that must be right
//	entries:        a list of id, question, answer; optional alternates (a list),
//	                url, lang, group, draft, review_by, expires (dates such as
//	                2027-06-01)
//
// golden.yaml:
//
//	answered:       a list of q, id: this entry must answer
//	unanswered:     a list of questions that only the fallback may answer
//
// # Texts
//
// Answers and the fallback are published byte for byte as YAML reads them, without the
// final line break of a block (| or >). YAML reads Windows line breaks as plain line
// feeds. Other texts are trimmed, and white space in questions is folded. No text may
// contain control characters.
//
// Ids are made of a-z, 0-9 and the hyphen and are unique. No two questions or alternates
// differ only by case, punctuation and white space (QuestionKey).
package content
