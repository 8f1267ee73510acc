// Package records stores what the service must not lose: inquiries with the state of their
// delivery, feedback on answers, questions that the content did not answer well, and on request
// those that it did, draft workspaces, notifications, changes of the content and counts by day.
//
// Records live in one SQLite file of the data folder, or in a PostgreSQL database that several
// machines share. A row is on the disk when the call returns (decisions, "Storage"). Several
// programs may have the records open at once: `frontdesk inquiries` reads while `frontdesk
// serve` writes. Both databases execute the same statements, written in the methods; the
// differences are in sqlite.go, postgres.go and the schema.
//
// A file for each table has its row type, its columns and its methods. How a row is read, added
// and exported follows from the columns. To add a column, change both files of the schema and
// the row type; a test fails if an export loses it.
package records
