// Package curation is what an owner does with the questions of a service: make one an
// alternate of an entry, move one to another entry or to those that must stay unanswered,
// dismiss or delete it; and with the data of a person: delete an inquiry, or everything.
// The commands and the pages of the owner share it.
//
// A correction changes the content folder by a line, and only after the whole folder was
// checked with it, golden questions included.
package curation
