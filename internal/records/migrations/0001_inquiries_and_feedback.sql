-- Times are microseconds since 1970 in UTC. Types and syntax are those that SQLite
-- and PostgreSQL have in common.

CREATE TABLE inquiries (
    id         TEXT   PRIMARY KEY,
    message_id TEXT   NOT NULL UNIQUE, -- of its mail: a resend bears the same
    name       TEXT   NOT NULL,
    business   TEXT   NOT NULL,
    email      TEXT   NOT NULL,
    message    TEXT   NOT NULL,
    phone      TEXT   NOT NULL,
    segment    TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    mail_from  TEXT   NOT NULL,
    mail_to    TEXT   NOT NULL,
    state      TEXT   NOT NULL CHECK (state IN ('pending', 'sent', 'failed', 'unknown')),
    detail     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    settled_at BIGINT -- NULL while pending
);

CREATE INDEX inquiries_created_at ON inquiries (created_at);

CREATE TABLE feedback (
    id         TEXT    PRIMARY KEY,
    helpful    BOOLEAN NOT NULL,
    entry_id   TEXT    NOT NULL, -- empty when the caller named a question alone
    q          TEXT    NOT NULL,
    comment    TEXT    NOT NULL,
    created_at BIGINT  NOT NULL
);

CREATE INDEX feedback_created_at ON feedback (created_at);
