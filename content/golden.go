package content

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

var (
	goldenKeys   = keys{optional: []string{"answered", "unanswered"}}
	answeredKeys = keys{required: []string{"q", "id"}}
)

// goldenReader reads golden.yaml.
type goldenReader struct {
	*source
	entries   seen // ids of faq.yaml; not checked if nil, because faq.yaml could not be read
	questions seen // by QuestionKey
}

func (g *goldenReader) read(root *yaml.Node) (golden Golden) {
	top, ok := g.object(root, "the file", goldenKeys)
	if !ok {
		return golden
	}
	for _, node := range top.list("answered") {
		if o, ok := g.object(node, "an answered question", answeredKeys); ok {
			golden.Answered = append(golden.Answered, g.answered(o))
		}
	}
	for _, node := range top.list("unanswered") {
		golden.Unanswered = append(golden.Unanswered, g.question(node, "an unanswered question"))
	}
	return golden
}

func (g *goldenReader) answered(o object) GoldenQuestion {
	question := GoldenQuestion{Line: o.node.Line}
	if node := o.value("q"); node != nil {
		question = g.question(node, "q")
	}
	question.ID = o.line("id")
	if _, known := g.entries[question.ID]; question.ID != "" && g.entries != nil && !known {
		g.fault(o.at("id"), fmt.Sprintf("faq.yaml has no entry %q", question.ID), suggest(question.ID, g.entries.keys()))
	}
	return question
}

// question reads a question; two expectations of the same one could not both hold.
func (g *goldenReader) question(node *yaml.Node, what string) GoldenQuestion {
	return GoldenQuestion{Q: g.uniqueQuestion(g.questions, node, what), Line: node.Line}
}
