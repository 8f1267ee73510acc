package lexical

import (
	"testing"

	"frontdesk/content"
)

// Near misses in languages that only words compare, at desks of few wordings: none gets an answer, and entries that
// share words stay candidates.
func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	for name, desk := range map[string]struct {
		entries [][2]string // question and answer
		near    []string
	}{
		"Japanese": {
			[][2]string{
				{"駐車場はありますか？", "はい、無料です。"}, {"営業時間は何時ですか？", "九時から十八時までです。"},
				{"予約は必要ですか？", "はい、電話でお願いします。"}, {"クレジットカードは使えますか？", "はい、使えます。"},
				{"子供も参加できますか？", "六歳から参加できます。"}, {"キャンセル料はかかりますか？", "前日までは無料です。"},
			},
			[]string{"現金は？", "現金は使えますか？", "駐輪場はありますか？", "犬も参加できますか？", "日曜日の予約は必要ですか？", "送迎はありますか？"},
		},
		"Russian": {
			[][2]string{
				{"Есть ли у вас парковка?", "Да, бесплатная."}, {"Во сколько вы открываетесь?", "В девять утра."},
				{"Нужно ли записываться заранее?", "Да, по телефону."}, {"Можно ли оплатить картой?", "Да."},
				{"Можно ли прийти с ребёнком?", "Да, с шести лет."}, {"Сколько стоит стрижка?", "Тысяча рублей."},
			},
			[]string{"Можно ли оплатить наличными?", "Есть ли у вас туалет?", "Можно ли прийти с собакой?", "Сколько стоит окрашивание?", "наличные?", "Во сколько вы закрываетесь?"},
		},
	} {
		var entries []content.Entry
		for _, e := range desk.entries {
			entries = append(entries, content.Entry{ID: e[0], Question: e[0], Answer: e[1]})
		}
		s := New(entries, Options{Precision: 0.5, Knowledge: Shipped()})
		candidates := 0
		for _, q := range desk.near {
			choice := s.Select(q, func(int) bool { return true })
			if choice.Sure {
				t.Errorf("%s: %q is answered with %q", name, q, entries[choice.Best[0]].Question)
			}
			candidates += min(choice.Near, 1)
		}
		if candidates < len(desk.near)/2 {
			t.Errorf("%s: only %d of %d questions have candidates", name, candidates, len(desk.near))
		}
	}
}
