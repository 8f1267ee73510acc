package owner

import (
	"cmp"
	"maps"
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

// priceHow is the field in which the owner chooses the kind of price.
var priceHow = content.Key{Name: "how", Kind: content.KindChoice, Required: true,
	Options: []string{howOne, howRange, howFrom, howOptions, howFree}}

// openPrice converts the price in a file, which may be a word or an amount, to the only row of its field.
func (f field) openPrice(value any, currency string) any {
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
	row := f.openRow(group, currency)
	from, to := row.text(f.Input+".from"), row.text(f.Input+".to")
	least, most := f.bounds(row)
	how := howRange
	switch {
	case isZero(from) && isZero(to):
		how = howFree
	case to == "":
		how = howFrom
	case least != "" && compareAmounts(least, from) == 0 && compareAmounts(most, to) == 0:
		how = howOptions
	case from == to:
		how = howOne
	}
	row[f.Input+".how"] = how
	return []values{f.inWay(row)}
}

func isZero(amount string) bool { return amount != "" && compareAmounts(amount, "0") == 0 }

// implied returns the amounts that the value of "how" implies, by their inputs.
func (f field) implied(row values) map[string]string {
	from, to := f.Input+".from", f.Input+".to"
	switch row.text(f.Input + ".how") {
	case howOne, howFrom:
		return map[string]string{to: row.text(from)}
	case howFree:
		return map[string]string{from: "0", to: "0"}
	case howOptions:
		least, most := f.bounds(row)
		return map[string]string{from: least, to: most}
	}
	return nil
}

// inWay removes the amounts that the value of "how" implies.
func (f field) inWay(row values) values {
	for input := range f.implied(row) {
		delete(row, input)
	}
	return row
}

// dropUnused removes the amounts that a price does not use. An amount that the owner changed is refused, because
// dropping it would publish another price.
func (w written) dropUnused(sent values) error {
	for _, f := range w.fields {
		rows, _ := sent[f.Input].([]values)
		if f.Kind != content.KindPrice || rows == nil {
			continue
		}
		before, _ := w.now.values[f.Input].([]values)
		was, implied := append(before, nil)[0], f.implied(rows[0])
		for _, input := range slices.Sorted(maps.Keys(implied)) {
			typed := rows[0].text(input)
			if typed != "" && typed != was.text(input) && compareAmounts(typed, implied[input]) != 0 {
				return content.Diagnostics{{File: f.file, Path: []string{w.list, w.id, f.Path},
					Code: "reason.amount.unused", Values: []any{typed}}}
			}
		}
		sent.set(f.Input, f.filled(f.inWay(rows[0])))
	}
	return nil
}

// filled returns the value of a price; nil if it is not filled in.
func (f field) filled(row values) any {
	if row.text(f.Input+".how") != howFree && len(row) < 2 {
		return nil
	}
	return []values{row}
}

func (f field) writtenPrice(row values) any {
	how, from, implied := row.text(f.Input+".how"), row.text(f.Input+".from"), f.implied(row)
	switch {
	case how == howFree && len(row) == 1:
		return howFree
	case how == howOne && len(row) == 2 && from != "": // only "how" and one amount
		return content.Plain(from)
	case how == howFrom: // without an upper end
		implied = nil
	}
	row = maps.Clone(row)
	delete(row, f.Input+".how")
	for input, amount := range implied {
		row.set(input, amount)
	}
	return writtenGroup(f.columns, row, f.languages)
}

// bounds returns the lowest and the highest of the exact prices; both are empty if there are none.
func (f field) bounds(row values) (least, most string) {
	rows, _ := row[f.Input+".options"].([]values)
	var amounts []string
	for _, option := range rows {
		amounts = append(amounts, option.text(f.Input+".options.price"))
	}
	if len(amounts) == 0 {
		return "", ""
	}
	return slices.MinFunc(amounts, compareAmounts), slices.MaxFunc(amounts, compareAmounts)
}

func compareAmounts(a, b string) int {
	return cmp.Compare(contract.Float(contract.Amount(a)), contract.Float(contract.Amount(b)))
}
