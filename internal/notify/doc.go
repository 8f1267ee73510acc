// Package notify reports to the owner, beside the mail, what needs a person: an inquiry
// that came in, a mail that failed, a trial, refused content, and once a week how many
// questions no entry answered.
//
// A notification is a row of the records for each target, stored together with what it
// reports. [Notifier.Run] of any instance claims it, sends it and settles it, so it outlives
// a restart and no request waits for a target. Delivery is at least once; a repetition has
// the same id. A failed notification is sent again, with growing pauses, for a day.
//
// A notification holds what happened, the id of what it happened to, the time and a link
// to the owner's pages, but no name, address or message.
//
// The operator sets the addresses of the targets, so private and loopback addresses are
// allowed. Redirects are not followed.
package notify
