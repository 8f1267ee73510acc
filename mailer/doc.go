// Package mailer carries a mail to the owner of the service: over SMTP, or into a
// folder of .eml files for a machine that has no mail server.
//
// A [Message] is a value; [Message.Bytes] writes it down by RFC 5322 and a
// [Transport] delivers those bytes. Text that came from a caller stands in the
// subject, the body and Reply-To alone, never in an envelope address, and none of
// it can add a header or a second mail.
//
// Delivery ends in one of three ways, and the caller can tell them apart: nil (the
// server took responsibility), an [Error] with outcome [Failed] (the mail certainly
// did not arrive), and one with outcome [Unknown] (all of the mail was handed over
// but no reply came, RFC 5321 4.5.3.2.6 allows the server ten minutes for it). No
// transport ever tries twice by itself, since after Unknown that could duplicate.
package mailer
