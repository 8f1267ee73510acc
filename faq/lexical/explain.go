package lexical

// Threshold is the sureness from which the selector answers.
func (s *Selector) Threshold() float64 { return s.threshold }
