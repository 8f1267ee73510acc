package content

import (
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
	y, err := c.readYAML(faqFile)
	if err != nil {
		return nil, err
	}
	var ids []string
	if list := y.at(Path{entriesKey}); list != nil {
		for _, entry := range list.Content {
			_, value := member(entry, "id")
			if value == nil {
				continue
			}
			ids = append(ids, value.Value)
			if value.Value == id {
				return Path{entriesKey, slices.Index(list.Content, entry)}, nil
			}
		}
	}
	err = fmt.Errorf("%s has no entry %q", faqFile, id)
	if hint := suggest(id, ids); hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return nil, err
}

// alternates returns where the alternates of an entry are, and their list, nil for none.
func (c *Change) alternates(entryID string) (Path, *yaml.Node, error) {
	path, err := c.EntryPath(entryID)
	if err != nil {
		return nil, nil, err
	}
	y, err := c.readYAML(faqFile)
	if err != nil {
		return nil, nil, err
	}
	path = slices.Concat(path, Path{"alternates"})
	return path, y.at(path), nil
}

// AddAlternate adds a question in a language to the alternates of an entry.
func (c *Change) AddAlternate(entryID, language, question string) error {
	path, alternates, err := c.alternates(entryID)
	if err != nil {
		return err
	}
	y, err := c.readYAML(faqFile)
	if err != nil {
		return err
	}
	question = contract.VisibleText(question)
	asked := y.at(slices.Concat(path[:len(path)-1], Path{"question"}))
	switch {
	case alternates == nil && asked != nil && asked.Kind == yaml.MappingNode:
		return c.Set(faqFile, path, Fields{{language, List{question}}})
	case alternates != nil && alternates.Kind == yaml.MappingNode:
		path = slices.Concat(path, Path{language})
		_, alternates = member(alternates, language)
	}
	place := 0
	if alternates != nil {
		place = len(alternates.Content)
	}
	return c.Insert(faqFile, path, place, question)
}

// RemoveAlternate removes an alternate of an entry, by its question key, in all languages.
func (c *Change) RemoveAlternate(entryID, alternate string) error {
	for removed := false; ; removed = true {
		path, alternates, err := c.alternates(entryID)
		if err != nil {
			return err
		}
		within := pathOfQuestion(alternates, QuestionKey(alternate))
		switch {
		case within == nil && removed:
			return nil
		case within == nil:
			return fmt.Errorf("%s: entry %q has no alternate %q", faqFile, entryID, alternate)
		}
		y, err := c.readYAML(faqFile)
		if err != nil {
			return err
		}
		for len(within) > 0 { // what would be empty goes as a whole
			around := y.at(slices.Concat(path, within[:len(within)-1]))
			if isMap := around.Kind == yaml.MappingNode; isMap && len(around.Content) > 2 || !isMap && len(around.Content) > 1 {
				break
			}
			within = within[:len(within)-1]
		}
		if err := c.Delete(faqFile, slices.Concat(path, within)); err != nil {
			return err
		}
	}
}

// pathOfQuestion returns where a question is below a node, or nil.
func pathOfQuestion(node *yaml.Node, key string) Path {
	if node == nil {
		return nil
	}
	step := 1
	if node.Kind == yaml.MappingNode {
		step = 2 // over the keys
	}
	for i := step - 1; i < len(node.Content); i += step {
		var at any = i
		if step == 2 {
			at = node.Content[i-1].Value
		}
		child := node.Content[i]
		if child.Kind == yaml.ScalarNode && QuestionKey(child.Value) == key {
			return Path{at}
		}
		if below := pathOfQuestion(child, key); below != nil {
			return slices.Concat(Path{at}, below)
		}
	}
	return nil
}

// AddUnanswered adds a question to those of golden.yaml that must not be answered. The file
// is made if it does not exist.
func (c *Change) AddUnanswered(question string) error {
	question = contract.VisibleText(question)
	y, err := c.readYAML(goldenFile)
	if errors.Is(err, fs.ErrNotExist) {
		return c.replace(goldenFile, []byte("unanswered:\n  - "+scalarOf(question)+"\n"))
	}
	if err != nil {
		return err
	}
	place := 0
	if list := y.at(Path{"unanswered"}); list != nil {
		place = len(list.Content)
	}
	return c.Insert(goldenFile, Path{"unanswered"}, place, question)
}

// RemoveEntry removes an entry, and the questions of golden.yaml that it must answer.
func (c *Change) RemoveEntry(id string) error {
	path, err := c.EntryPath(id)
	if err != nil {
		return err
	}
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
	return c.Delete(faqFile, path)
}
