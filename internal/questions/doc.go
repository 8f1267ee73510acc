// Package questions records questions, feedback, and on request answers, and shows the owner what
// the content lacks: questions that no entry answered, and those whose answer did not help.
// Parts that identify a person are masked. Questions that are nearly the same are one group,
// and can become an alternate of an entry.
package questions
