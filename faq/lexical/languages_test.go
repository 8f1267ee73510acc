package lexical

import (
	"slices"
	"strings"
	"testing"

	"frontdesk/content"
)

// otherLanguages are desks whose languages only words compare: questions with answers, and those without.
var otherLanguages = map[string]struct{ entries, near string }{
	"Japanese": {
		`駐車場はありますか？ はい、無料です。
営業時間は何時ですか？ 九時から十八時までです。
予約は必要ですか？ はい、電話でお願いします。
クレジットカードは使えますか？ はい、使えます。
子供も参加できますか？ 六歳から参加できます。
キャンセル料はかかりますか？ 前日までは無料です。
住所はどこですか？ 駅の北口から徒歩五分です。
定休日はいつですか？ 毎週火曜日です。
英語は話せますか？ 少し話せます。
体験教室はありますか？ 毎月第一土曜日にあります。
料金はいくらですか？ 一回三千円です。
持ち物は何ですか？ エプロンだけです。
服装の決まりはありますか？ 汚れてもよい服でお越しください。
団体割引はありますか？ 十名から一割引です。
贈り物用の券はありますか？ 受付で買えます。
作品はいつ受け取れますか？ 焼き上がりは一か月後です。
作品を送ってもらえますか？ 送料は八百円です。
車椅子で入れますか？ 入口に段差はありません。
初心者でも大丈夫ですか？ 先生が教えます。
電話番号を教えてください。 番号はサイトの下にあります。`,
		`現金は？
現金は使えますか？
駐輪場はありますか？
犬も参加できますか？
日曜日の予約は必要ですか？
送迎はありますか？
電子マネーは使えますか？
冷房はありますか？
中国語は話せますか？
学生割引はありますか？
更衣室はありますか？
写真は撮れますか？
昼休みは何時ですか？
先生は何人ですか？
食べ物を持ち込めますか？
遅刻したらどうなりますか？
領収書はありますか？
会員になれますか？
オンライン教室はありますか？
壊れた作品はどうなりますか？
トイレはどこですか？
ベビーカーで入れますか？
左利きでも大丈夫ですか？
求人はありますか？
お酒は飲めますか？`,
	},
	"Russian": {
		`Есть ли у вас парковка? Да, бесплатная.
Во сколько вы открываетесь? В девять утра.
Нужно ли записываться заранее? Да, по телефону.
Можно ли оплатить картой? Да.
Можно ли прийти с ребёнком? Да, с шести лет.
Сколько стоит стрижка? Тысяча рублей.
Где вы находитесь? Пять минут от вокзала.
Работаете ли вы в воскресенье? Нет, по воскресеньям закрыто.
Как отменить запись? Позвоните за день.
Говорите ли вы по-английски? Да, немного.
Есть ли скидка для студентов? Да, десять процентов.
Продаёте ли вы подарочные сертификаты? Да, на кассе.
Сколько длится стрижка? Около часа.
Делаете ли вы маникюр? Да, каждый день.
Какими красками вы красите волосы? Без аммиака.
Есть ли у вас вайфай? Да, пароль у администратора.
Можно ли выбрать мастера? Да, при записи.
Стрижёте ли вы бороду? Да, за пятьсот рублей.
Есть ли вход для инвалидной коляски? Да, со двора.
Какой у вас номер телефона? Он указан внизу сайта.`,
		`Можно ли оплатить наличными?
Есть ли у вас туалет?
Можно ли прийти с собакой?
Сколько стоит окрашивание?
наличные?
Во сколько вы закрываетесь?
Сколько длится маникюр?
Есть ли скидка для пенсионеров?
Говорите ли вы по-немецки?
Работаете ли вы в праздники?
Есть ли у вас кофе?
Делаете ли вы педикюр?
Можно ли прийти без записи вечером?
Сколько стоит маникюр?
Продаёте ли вы шампунь?
Какой у вас адрес почты?
Есть ли детская комната?
Можно ли вернуть сертификат?
Сколько мастеров у вас работает?
Стрижёте ли вы на дому?
Делаете ли вы массаж?
Есть ли у вас вакансии?
Можно ли оставить чаевые картой?
Где можно посмотреть фотографии работ?
Как записаться на курс?`,
	},
}

// A line is a question and its answer.
func deskOf(lines string) (entries []content.Entry) {
	for line := range strings.Lines(lines) {
		at := strings.IndexAny(line, "?？。")
		question := line[:at] + "?"
		entries = append(entries, content.Entry{ID: question, Question: question, Answer: strings.Trim(line[at:], "?？。 \n")})
	}
	return entries
}

func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	for language, desk := range otherLanguages {
		s := newSelector(deskOf(desk.entries))
		near := strings.Split(desk.near, "\n")
		wrong, withCandidates := 0, 0
		for _, q := range near {
			choice := s.Select(q, everyone, 0.5)
			if choice.Sure {
				wrong++
			}
			withCandidates += min(choice.Near, 1)
		}
		if len(near) != 25 || len(s.entries) != 20 || wrong > 2 || withCandidates < len(near)/2 {
			t.Errorf("%s: of %d questions to %d entries %d are answered, %d have candidates",
				language, len(near), len(s.entries), wrong, withCandidates)
		}
	}
}

// English entries answer also at a desk of several languages, and where the others are of another language.
func TestEnglishAmongOthers(t *testing.T) {
	t.Parallel()
	english := content.Entry{ID: "open", Question: "When are you open?", Answer: "Monday to Friday, nine to five.",
		Alternates: []string{"What are your opening hours?", "Are you open on Saturday?"}}
	others := slices.Concat(deskOf(otherLanguages["Japanese"].entries), deskOf(otherLanguages["Russian"].entries))
	s := newSelector(append(others, english))
	choice := s.Select("What opening hours do you have?", everyone, 0.8)
	if !choice.Sure || choice.Best[0] != len(others) {
		t.Errorf("the English entry does not answer: %+v", choice)
	}
}
