package content

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
)

// Lists of items with ids.
const (
	entriesKey  = "entries"
	servicesKey = "services"
)

// ItemPath leads to an item of a list, by its id, as the change leaves the file.
func (c *Change) ItemPath(file, list, id string) (Path, error) {
	node, err := c.node(file, Path{list})
	if err != nil {
		return nil, err
	}
	ids := namedParts(node).names
	if slices.Contains(ids, id) {
		return Path{list, id}, nil
	}
	err = fmt.Errorf("%s has no item %q in %s", file, id, list)
	if hint := suggest(id, ids); hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return nil, err
}

// ErrUnused reports an entry that is a draft or expired, so that the fact with its id answers.
var ErrUnused = errors.New("is a draft or expired")

// OwnFact copies a fact of the loaded content into faq.yaml, so that a wording in language can be added to it. If an
// entry has its id but no answer in language, only the fact's texts in language are added. Any other entry stays as it
// is. The error for an entry that does not answer is ErrUnused.
func (c *Change) OwnFact(loaded *Content, id, language string) error {
	path, missing := c.ItemPath(FAQFile, entriesKey, id)
	var questions, alternates, answers Fields
	for _, e := range loaded.FAQ.Entries {
		of := cmp.Or(e.Lang, loaded.Language())
		if e.ID != id || !e.IsFact || missing == nil && of != language {
			continue
		}
		questions, answers = append(questions, Field{of, e.Question}), append(answers, Field{of, e.Answer})
		alternates = append(alternates, Field{of, e.Alternates})
	}
	isUnused := func(e Entry) bool { return e.ID == id && !e.IsFact && (e.Draft || !e.Live(time.Now())) }
	switch {
	case questions == nil:
		return nil
	case slices.ContainsFunc(slices.Concat(loaded.Drafts, loaded.FAQ.Entries), isUnused):
		return fmt.Errorf("%s: entry %q %w", FAQFile, id, ErrUnused)
	}
	texts := Fields{{"question", questions}, {"alternates", alternates}, {"answer", answers}}
	if missing != nil {
		return c.Insert(FAQFile, Path{entriesKey}, atEnd, append(Fields{{"id", id}}, texts...))
	}
	return c.addTexts(path, language, loaded.Language(), texts)
}

// addTexts adds texts in language to an entry without an answer in that language. Texts that are not by language count
// as the entry's own language, or the site's first.
func (c *Change) addTexts(path Path, language, first string, texts Fields) error {
	value, err := c.Get(FAQFile, path)
	entry, _ := value.(Fields)
	first = cmp.Or(entry.Text("lang"), first)
	if err != nil || entry.byLanguage("answer", first).Get(language) != nil {
		return err
	}
	err = c.NameLanguage(path)
	for _, text := range texts {
		all := append(entry.byLanguage(text.Key, first), text.Value.(Fields)...)
		err = errors.Join(err, c.Set(FAQFile, append(slices.Clip(path), text.Key), all))
	}
	return err
}

// byLanguage returns the texts at key by language. A plain text counts as the text in the language first.
func (f Fields) byLanguage(key, first string) Fields {
	given := f.Get(key)
	texts, isByLanguage := given.(Fields)
	if given != nil && !isByLanguage {
		return Fields{{first, given}}
	}
	return texts
}

// NameLanguage writes the texts of an entry that has a lang by this language, and removes lang.
func (c *Change) NameLanguage(path Path) error {
	value, err := c.Get(FAQFile, path)
	entry, _ := value.(Fields)
	lang := entry.Text("lang")
	if lang == "" {
		return err
	}
	for _, key := range Keys(FAQFile, entriesKey) {
		if texts := entry.byLanguage(key.Name, lang); key.Local && texts != nil {
			err = errors.Join(err, c.Set(FAQFile, append(slices.Clip(path), key.Name), texts))
		}
	}
	return errors.Join(err, c.Delete(FAQFile, append(slices.Clip(path), "lang")))
}

// AddAlternate adds a question in a language to the alternates of an entry.
func (c *Change) AddAlternate(entryID, language, question string) error {
	path, err := c.ItemPath(FAQFile, entriesKey, entryID)
	if err != nil {
		return err
	}
	entry, _ := c.node(FAQFile, path) // no error: ItemPath has just read the file
	path = append(path, "alternates")
	like := cmp.Or(member(entry, "alternates"), member(entry, "question"))
	if like != nil && like.Kind == yaml.MappingNode { // by language
		path = append(path, language)
	}
	return c.Insert(FAQFile, path, atEnd, contract.VisibleText(question))
}

// RemoveAlternate removes an alternate of an entry, by its question key, in all languages.
func (c *Change) RemoveAlternate(entryID, alternate string) error {
	path, err := c.ItemPath(FAQFile, entriesKey, entryID)
	if err != nil {
		return err
	}
	found, err := c.removeAll(FAQFile, append(path, "alternates"), isQuestion(alternate))
	if !found && err == nil {
		err = fmt.Errorf("%s: entry %q has no alternate %q", FAQFile, entryID, alternate)
	}
	return err
}

// isQuestion returns a function that reports whether a node is the question, or an item of golden.yaml that asks it.
func isQuestion(question string) func(node *yaml.Node) bool {
	key := QuestionKey(question)
	return func(node *yaml.Node) bool {
		text := cmp.Or(member(node, "q"), node)
		return text.Kind == yaml.ScalarNode && QuestionKey(text.Value) == key
	}
}

// AddUnanswered adds a question to those of golden.yaml that must not be answered.
func (c *Change) AddUnanswered(question string) error {
	return c.Insert(goldenFile, Path{"unanswered"}, atEnd, contract.VisibleText(question))
}

// RemoveGolden removes a question from golden.yaml, whether it must be answered or not. One that
// is not there is no error.
func (c *Change) RemoveGolden(question string) error {
	_, err := c.removeAll(goldenFile, nil, isQuestion(question))
	return err
}

// RemoveItem removes an item of a list, and the questions of golden.yaml that it must answer.
func (c *Change) RemoveItem(file, list, id string) error {
	path, err := c.ItemPath(file, list, id)
	if err != nil {
		return err
	}
	answers := map[string]string{entriesKey: id, servicesKey: factPrice + id}[list]
	if _, err := c.removeAll(goldenFile, Path{"answered"}, func(item *yaml.Node) bool {
		value := member(item, "id")
		return value != nil && value.Value == answers
	}); err != nil {
		return err
	}
	return c.Delete(file, path)
}

// removeAll removes what is meant at a path and below it. It reports whether there was any.
func (c *Change) removeAll(file string, path Path, isMeant func(node *yaml.Node) bool) (found bool, err error) {
	f, err := c.yaml(file)
	for err == nil {
		var meant Path
		walk(path, []*yaml.Node{nodeAt(f.root, path)}, func(path Path, part []*yaml.Node) bool {
			node := part[len(part)-1]
			if node != nil && isMeant(node) {
				meant = path
			}
			return member(node, "q") == nil // an item of golden.yaml is removed as a whole
		})
		if meant == nil || !remove(f.root, meant) {
			break
		}
		found = true // walk again, because the removal can change the names in the other paths
	}
	if found {
		err = c.write(file, f)
	}
	return found, err
}
