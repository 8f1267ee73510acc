// Package mailer delivers a mail to the owner of the service: over SMTP, or into a
// folder of .eml files on a machine without a mail server.
//
// A [Message] is a value; [Message.Bytes] formats it by RFC 5322 and a [Transport]
// delivers those bytes. Text from a caller appears only in the subject, the body and
// Reply-To, never in an envelope address, and cannot add a header or a second mail.
//
// A delivery ends in one of three ways: nil (the server took responsibility), an [Error]
// with outcome [Failed] (the mail certainly did not arrive), or one with outcome
// [Unknown] (the whole mail was sent but no reply came; RFC 5321 4.5.3.2.6 allows the
// server ten minutes for it). No transport tries twice, because after Unknown that could
// deliver the mail twice.
package mailer
