// Package records keeps what the service must not lose: inquiries with the state of
// their delivery, feedback on answers, the questions that the content did not answer
// well, and on request those that it did, draft workspaces, and how often the model was
// called on a day.
//
// They live in one SQLite file of the data folder, or in a PostgreSQL database that
// several machines share. What was added is on the disk when the call returns
// (decisions, "Storage"), and several programs may have the records open at once:
// `frontdesk inquiries` reads while `frontdesk serve` writes. The statements are
// portable SQL; what differs is in sqlite.go and postgres.go.
package records
