package content

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

var (
	goldenKeys   = keys{optional: []string{"answered", "unanswered"}}
	answeredKeys = keys{required: []string{"q", "id"}}
)

// golden reads golden.yaml. The ids are those of faq.yaml, or nil if it could not be read; then
// they are not checked.
func (s *source) golden(root *yaml.Node, ids seen) (golden Golden) {
	top, ok := s.object(root, "the file", goldenKeys)
	if !ok {
		return golden
	}
	for _, node := range top.list("answered") {
		if o, ok := s.object(node, "an answered question", answeredKeys); ok {
			question := GoldenQuestion{Line: o.node.Line}
			if node := o.value("q"); node != nil {
				question = s.uniqueQuestion(node, "q")
			}
			question.ID = o.line("id")
			if question.ID != "" && ids != nil && ids[question.ID] == 0 {
				o.fault(o.at("id"), fmt.Sprintf("faq.yaml has no entry %q", question.ID), suggest(question.ID, ids.keys()))
			}
			golden.Answered = append(golden.Answered, question)
		}
	}
	for _, node := range top.list("unanswered") {
		golden.Unanswered = append(golden.Unanswered, s.uniqueQuestion(node, "an unanswered question"))
	}
	return golden
}

// uniqueQuestion reads a question; two expectations of the same one could not both hold.
func (s *source) uniqueQuestion(node *yaml.Node, what string) GoldenQuestion {
	text := s.questionOf(node, what)
	if key := QuestionKey(text); key != "" {
		s.once(s.questions, key, fmt.Sprintf("the question %q", text), node.Line)
	}
	return GoldenQuestion{Q: text, Line: node.Line}
}
