package owner

import (
	"cmp"
	"net/url"
	"slices"

	"frontdesk/content"
	"frontdesk/contract"
)

// The values of the field "how" of a service's own price.
const (
	howOne     = "one"
	howRange   = "range"
	howFrom    = "from"
	howOptions = "options"
	howFree    = "free"
)

// priceHow returns the field "how", in which the owner chooses what kind of price it is.
func priceHow(price field) field {
	key := content.Key{Name: "how", Kind: content.KindChoice, Required: true,
		Options: []string{howOne, howRange, howFrom, howOptions, howFree}}
	return field{Key: key, Path: price.Path + ".how", Input: price.Path + ".how", file: price.file}
}

// openPrice converts the price in a file, which may be a word or an amount, to the only row of its field.
func (f field) openPrice(value any) any {
	group, isGroup := value.(content.Fields)
	switch text, _ := value.(string); {
	case value == nil:
		return nil
	case text == howFree:
		text = "0"
		fallthrough
	case !isGroup:
		group = content.Fields{{Key: "from", Value: text}, {Key: "to", Value: text}}
	}
	row := f.openRow(group)
	from, to := row.text(f.Input+".from"), row.text(f.Input+".to")
	least, most := f.bounds(row)
	how := howRange
	switch {
	case isZero(from) && isZero(to):
		how = howFree
	case to == "":
		how = howFrom
	case least != "" && contract.Float(least) == contract.Float(contract.Amount(from)) &&
		contract.Float(most) == contract.Float(contract.Amount(to)):
		how = howOptions
	case from == to:
		how = howOne
	}
	row[f.Input+".how"] = how
	return []values{f.inWay(row)}
}

func isZero(amount string) bool { return amount != "" && contract.Float(contract.Amount(amount)) == 0 }

// inWay removes the amounts that the value of "how" implies.
func (f field) inWay(row values) values {
	switch row.text(f.Input + ".how") {
	case howOne, howFrom:
		delete(row, f.Input+".to")
	case howFree, howOptions:
		delete(row, f.Input+".from")
		delete(row, f.Input+".to")
	}
	return row
}

// readPrice returns the price that a form sends; nil if it is not filled in.
func (f field) readPrice(sent url.Values) any {
	row := f.inWay(read(f.columns, sent))
	if row.text(f.Input+".how") != howFree && len(row) < 2 {
		return nil
	}
	return []values{row}
}

// writtenPrice returns what a file gets for the row of a price.
func (f field) writtenPrice(row values) any {
	from, to := row.text(f.Input+".from"), row.text(f.Input+".to")
	isBare := len(row) == 2 // only "how" and one amount
	switch row.text(f.Input + ".how") {
	case howFree:
		if len(row) == 1 {
			return howFree
		}
		from, to = "0", "0"
	case howOne:
		if isBare && from != "" {
			return content.Plain(from)
		}
		to = from
	case howOptions:
		least, most := f.bounds(row)
		from, to = string(least), string(most)
	}
	group := content.Fields{}
	for key, amount := range map[string]string{"from": from, "to": to} {
		if amount != "" {
			group = append(group, content.Field{Key: key, Value: content.Plain(amount)})
		}
	}
	slices.SortFunc(group, func(a, b content.Field) int { return cmp.Compare(a.Key, b.Key) })
	for _, field := range f.writtenRow(row) {
		if field.Key != "from" && field.Key != "to" && field.Key != "how" {
			group = append(group, field)
		}
	}
	return group
}

// bounds returns the lowest and the highest of the exact prices; both are empty if there are none.
func (f field) bounds(row values) (least, most contract.Amount) {
	rows, _ := row[f.Input+".options"].([]values)
	for _, option := range rows {
		amount := contract.Amount(option.text(f.Input + ".options.price"))
		if least == "" || contract.Float(amount) < contract.Float(least) {
			least = amount
		}
		if most == "" || contract.Float(amount) > contract.Float(most) {
			most = amount
		}
	}
	return least, most
}
