// Package notify reports to the owner, beside the mail, what needs a person: an inquiry
// that came in, a mail that failed, a trial, content that was refused, and once a week
// how many questions no entry answered.
//
// A notification is a row of the records, one for each target, which is stored together
// with what it reports. [Notifier.Run] of any instance claims it, sends it and settles
// it, so it outlives a restart and no request ever waits for a target. Delivery is at
// least once: a repetition has the same id. A target that does not take it is tried
// again, with growing pauses, for a day.
//
// A notification holds what happened, the id of what it happened to, the time and a link
// to the owner's pages: no name, address or message. Only a webhook can be set to carry
// the fields of the request too.
//
// The operator sets the addresses of the targets, so that private and loopback addresses
// are allowed; redirects are not followed, because they would lead elsewhere.
package notify
