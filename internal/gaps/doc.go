// Package gaps shows the owner what the content lacks: questions that no entry
// answered, and those whose answer did not help. They are kept with what identifies
// a person masked, put together when they are nearly the same, and can become
// an alternate of an entry.
package gaps
