package content

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
)

// entriesKey is the list of the entries.
const entriesKey = "entries"

// EntryPath leads to an entry of faq.yaml as the change leaves it.
func (c *Change) EntryPath(id string) (Path, error) {
	list, err := c.node(faqFile, Path{entriesKey})
	if err != nil {
		return nil, err
	}
	var ids []string
	for place := 0; list != nil && place < len(list.Content); place++ {
		if _, value := member(list.Content[place], "id"); value != nil {
			ids = append(ids, value.Value)
			if value.Value == id {
				return Path{entriesKey, place}, nil
			}
		}
	}
	err = fmt.Errorf("%s has no entry %q", faqFile, id)
	if hint := suggest(id, ids); hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return nil, err
}

// OwnFact makes a fact of the loaded content an entry of faq.yaml, with its texts, so that it can be changed. Any other
// entry stays as it is.
func (c *Change) OwnFact(loaded *Content, id string) error {
	if _, err := c.EntryPath(id); err == nil {
		return nil
	}
	var questions, alternates, answers Fields
	for _, e := range loaded.FAQ.Entries {
		if e.ID != id || !e.IsFact {
			continue
		}
		var list List
		for _, alternate := range e.Alternates {
			list = append(list, alternate)
		}
		language := cmp.Or(e.Lang, loaded.Language())
		questions, answers = append(questions, Field{language, e.Question}), append(answers, Field{language, e.Answer})
		alternates = append(alternates, Field{language, list})
	}
	if questions == nil {
		return nil
	}
	return c.Insert(faqFile, Path{entriesKey}, atEnd,
		Fields{{"id", id}, {"question", questions}, {"alternates", alternates}, {"answer", answers}})
}

// AddAlternate adds a question in a language to the alternates of an entry.
func (c *Change) AddAlternate(entryID, language, question string) error {
	path, err := c.EntryPath(entryID)
	if err != nil {
		return err
	}
	entry, err := c.node(faqFile, path)
	if err != nil {
		return err
	}
	_, asked := member(entry, "question")
	_, alternates := member(entry, "alternates")
	path = append(path, "alternates")
	if kind := cmp.Or(alternates, asked); kind != nil && kind.Kind == yaml.MappingNode { // by language
		path = append(path, language)
	}
	return c.Insert(faqFile, path, atEnd, contract.VisibleText(question))
}

// RemoveAlternate removes an alternate of an entry, by its question key, in all languages.
func (c *Change) RemoveAlternate(entryID, alternate string) error {
	path, err := c.EntryPath(entryID)
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

// AddUnanswered adds a question to those of golden.yaml that must not be answered. The file
// is made if it does not exist.
func (c *Change) AddUnanswered(question string) error {
	const list = "unanswered"
	question = contract.VisibleText(question)
	err := c.Insert(goldenFile, Path{list}, atEnd, question)
	if errors.Is(err, fs.ErrNotExist) {
		return c.write(goldenFile, &yamlFile{root: nodeOf(Fields{{list, List{question}}})})
	}
	return err
}

// RemoveGolden removes a question from golden.yaml, whether it must be answered or not. One that
// is not there is no error.
func (c *Change) RemoveGolden(question string) error {
	golden, err := c.Item(goldenFile, nil)
	if err != nil {
		return err
	}
	for list, within := range map[string]string{"answered": "answered.q", "unanswered": "unanswered"} {
		at := slices.IndexFunc(golden[within], func(q string) bool { return QuestionKey(q) == QuestionKey(question) })
		if at < 0 {
			continue
		}
		return c.Delete(goldenFile, Path{list, at})
	}
	return nil
}

// RemoveEntry removes an entry, and the questions of golden.yaml that it must answer.
func (c *Change) RemoveEntry(id string) error {
	path, err := c.EntryPath(id)
	if err != nil {
		return err
	}
	if err := c.removeAnswered(id); err != nil {
		return err
	}
	return c.Delete(faqFile, path)
}

// RemoveService removes a service, and the questions of golden.yaml that its price must answer.
func (c *Change) RemoveService(id string) error {
	const list = "services"
	services, err := c.Items(catalogFile, list)
	if err != nil {
		return err
	}
	if err := c.removeAnswered(factPrice + id); err != nil {
		return err
	}
	at := slices.IndexFunc(services, func(service Item) bool { return service.Text("id") == id })
	return c.Delete(catalogFile, Path{list, at})
}

// removeAnswered removes the questions of golden.yaml that an entry must answer.
func (c *Change) removeAnswered(id string) error {
	golden, err := c.Items(goldenFile, "answered")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for place, question := range slices.Backward(golden) {
		if question.Text("id") == id {
			if err := c.Delete(goldenFile, Path{"answered", place}); err != nil {
				return err
			}
		}
	}
	return nil
}
