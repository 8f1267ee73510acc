package content

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

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
	var ids []string
	for place, item := range cmp.Or(node, &yaml.Node{}).Content {
		if value := member(item, "id"); value != nil {
			ids = append(ids, value.Value)
			if value.Value == id {
				return Path{list, place}, nil
			}
		}
	}
	err = fmt.Errorf("%s has no item %q in %s", file, id, list)
	if hint := suggest(id, ids); hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return nil, err
}

// OwnFact copies a fact of the loaded content into faq.yaml, so that a wording in language can be added to it. If an
// entry has its id but no answer in language, only the fact's texts in language are added. Any other entry stays as it
// is.
func (c *Change) OwnFact(loaded *Content, id, language string) error {
	path, missing := c.ItemPath(faqFile, entriesKey, id)
	var questions, alternates, answers Fields
	for _, e := range loaded.FAQ.Entries {
		if e.ID != id || !e.IsFact || missing == nil && cmp.Or(e.Lang, loaded.Language()) != language {
			continue
		}
		var list List
		for _, alternate := range e.Alternates {
			list = append(list, alternate)
		}
		of := cmp.Or(e.Lang, loaded.Language())
		questions, answers = append(questions, Field{of, e.Question}), append(answers, Field{of, e.Answer})
		alternates = append(alternates, Field{of, list})
	}
	if questions == nil {
		return nil
	}
	texts := Fields{{"question", questions}, {"alternates", alternates}, {"answer", answers}}
	if missing != nil {
		return c.Insert(faqFile, Path{entriesKey}, atEnd, append(Fields{{"id", id}}, texts...))
	}
	return c.addTexts(path, language, loaded.Language(), texts)
}

// addTexts adds texts in language to an entry without an answer in that language. Texts that are not by language count
// as the entry's own language, or the site's first.
func (c *Change) addTexts(path Path, language, first string, texts Fields) error {
	value, err := c.Get(faqFile, path)
	entry, _ := value.(Fields)
	first = cmp.Or(entry.Text("lang"), first)
	byLanguage := func(key string) Fields {
		all, isByLanguage := entry.Get(key).(Fields)
		if given := entry.Get(key); given != nil && !isByLanguage {
			all = Fields{{first, given}}
		}
		return all
	}
	if err != nil || byLanguage("answer").Get(language) != nil {
		return err
	}
	for _, text := range texts {
		all := append(byLanguage(text.Key), text.Value.(Fields)...)
		err = errors.Join(err, c.Set(faqFile, slices.Concat(path, Path{text.Key}), all))
	}
	if entry.Get("lang") != nil {
		err = errors.Join(err, c.Delete(faqFile, slices.Concat(path, Path{"lang"})))
	}
	return err
}

// AddAlternate adds a question in a language to the alternates of an entry.
func (c *Change) AddAlternate(entryID, language, question string) error {
	path, err := c.ItemPath(faqFile, entriesKey, entryID)
	if err != nil {
		return err
	}
	entry, err := c.node(faqFile, path)
	if err != nil {
		return err
	}
	path = append(path, "alternates")
	like := cmp.Or(member(entry, "alternates"), member(entry, "question"))
	if like != nil && like.Kind == yaml.MappingNode { // by language
		path = append(path, language)
	}
	return c.Insert(faqFile, path, atEnd, contract.VisibleText(question))
}

// RemoveAlternate removes an alternate of an entry, by its question key, in all languages.
func (c *Change) RemoveAlternate(entryID, alternate string) error {
	path, err := c.ItemPath(faqFile, entriesKey, entryID)
	if err != nil {
		return err
	}
	path = append(path, "alternates")
	alternates, err := c.node(faqFile, path)
	if err != nil {
		return err
	}
	found := pathsOfQuestion(path, alternates, QuestionKey(alternate))
	if len(found) == 0 {
		return fmt.Errorf("%s: entry %q has no alternate %q", faqFile, entryID, alternate)
	}
	for _, path := range slices.Backward(found) {
		if err := c.Delete(faqFile, path); err != nil {
			return err
		}
	}
	return nil
}

// pathsOfQuestion returns where a question is at a node, to which a path leads, and below it.
func pathsOfQuestion(path Path, node *yaml.Node, key string) (found []Path) {
	switch {
	case node == nil:
	case node.Kind == yaml.ScalarNode && QuestionKey(node.Value) == key:
		return []Path{path}
	case node.Kind == yaml.SequenceNode:
		for i, item := range node.Content {
			found = append(found, pathsOfQuestion(slices.Concat(path, Path{i}), item, key)...)
		}
	}
	for name, value := range pairs(node) {
		found = append(found, pathsOfQuestion(slices.Concat(path, Path{name.Value}), value, key)...)
	}
	return found
}

// AddUnanswered adds a question to those of golden.yaml that must not be answered.
func (c *Change) AddUnanswered(question string) error {
	return c.Insert(goldenFile, Path{"unanswered"}, atEnd, contract.VisibleText(question))
}

// RemoveGolden removes a question from golden.yaml, whether it must be answered or not. One that
// is not there is no error.
func (c *Change) RemoveGolden(question string) error {
	isMeant := func(item *yaml.Node) bool {
		return QuestionKey(cmp.Or(member(item, "q"), item).Value) == QuestionKey(question)
	}
	return errors.Join(c.removeItems(goldenFile, "answered", isMeant), c.removeItems(goldenFile, "unanswered", isMeant))
}

// RemoveItem removes an item of a list, and the questions of golden.yaml that it must answer.
func (c *Change) RemoveItem(file, list, id string) error {
	path, err := c.ItemPath(file, list, id)
	if err != nil {
		return err
	}
	answers := map[string]string{entriesKey: id, servicesKey: factPrice + id}[list]
	if err := c.removeItems(goldenFile, "answered", func(item *yaml.Node) bool {
		value := member(item, "id")
		return value != nil && value.Value == answers
	}); err != nil {
		return err
	}
	return c.Delete(file, path)
}

// removeItems removes the items of a list that are meant.
func (c *Change) removeItems(file, list string, isMeant func(item *yaml.Node) bool) error {
	node, err := c.node(file, Path{list})
	if node == nil {
		return err
	}
	for place, item := range slices.Backward(node.Content) {
		if err == nil && isMeant(item) {
			err = c.Delete(file, Path{list, place})
		}
	}
	return err
}
