-- Times are microseconds since 1970 in UTC, days are days since then. Only the numbers that the
-- database assigns differ between SQLite and PostgreSQL.

-- Pilot requests, each with its mail.

CREATE TABLE inquiries (
    id          TEXT   PRIMARY KEY,
    message_id  TEXT   NOT NULL UNIQUE, -- of its mail; a retry has the same
    request_id  TEXT   NOT NULL, -- the request in the log
    name        TEXT   NOT NULL,
    business    TEXT   NOT NULL,
    email       TEXT   NOT NULL,
    message     TEXT   NOT NULL,
    phone       TEXT   NOT NULL,
    segment     TEXT   NOT NULL,
    question    TEXT   NOT NULL, -- asked on the site before the form was opened
    subject     TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    mail_from   TEXT   NOT NULL,
    mail_to     TEXT   NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('pending', 'sent', 'failed', 'unknown', 'quarantined')),
    detail      TEXT   NOT NULL, -- why the last delivery failed
    lease_owner TEXT   NOT NULL, -- while pending, only this attempt may send and settle it
    lease_until BIGINT NOT NULL, -- another attempt may take the lease from then on
    created_at  BIGINT NOT NULL,
    settled_at  BIGINT, -- NULL while pending
    retry_at    BIGINT, -- when a failed mail is sent again by itself; NULL means never
    answered_at BIGINT, -- NULL until the owner marks it as answered
    done_at     BIGINT, -- NULL until the owner marks it as done
    note        TEXT   NOT NULL, -- the owner's
    equal_to    TEXT   NOT NULL -- SHA-256 of the request, while an equal one may join it, or empty
);

-- Each view is counted from this index alone. SQLite also finds a late page of a list with it.
CREATE INDEX inquiries_created_at ON inquiries (created_at, id, done_at, answered_at, state);
CREATE INDEX inquiries_email ON inquiries (lower(email));
CREATE INDEX inquiries_pending ON inquiries (lease_until) WHERE state = 'pending';
CREATE INDEX inquiries_retry_at ON inquiries (retry_at) WHERE state = 'failed' AND retry_at IS NOT NULL;
CREATE UNIQUE INDEX inquiries_equal_to ON inquiries (equal_to) WHERE equal_to <> '';
CREATE INDEX inquiries_undelivered ON inquiries (state) WHERE state <> 'sent'; -- counted at each scrape

-- Idempotency keys. A key is scoped by the e-mail address of its request, in lower case.

CREATE TABLE inquiry_keys (
    email       TEXT   NOT NULL,
    key_hash    TEXT   NOT NULL, -- SHA-256 of the key, in hexadecimal
    fingerprint TEXT   NOT NULL, -- SHA-256 of the request, in hexadecimal
    inquiry_id  TEXT   NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (email, key_hash)
);

CREATE INDEX inquiry_keys_created_at ON inquiry_keys (created_at);
CREATE INDEX inquiry_keys_inquiry_id ON inquiry_keys (inquiry_id);

-- Attempts to send the mail of an inquiry. One without an end is under way or was interrupted.

CREATE TABLE tries (
    inquiry_id  TEXT   NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
    lease_owner TEXT   NOT NULL,
    state       TEXT   NOT NULL, -- of the inquiry afterwards
    detail      TEXT   NOT NULL,
    started_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (inquiry_id, lease_owner)
);

-- Draft workspaces that trials made.

CREATE TABLE workspaces (
    id         TEXT   PRIMARY KEY,
    state      TEXT   NOT NULL CHECK (state IN ('draft')),
    business   TEXT   NOT NULL,
    email      TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    segment    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX workspaces_created_at ON workspaces (created_at);

CREATE TABLE workspace_keys (
    email        TEXT   NOT NULL,
    key_hash     TEXT   NOT NULL,
    fingerprint  TEXT   NOT NULL,
    workspace_id TEXT   NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (email, key_hash)
);

CREATE INDEX workspace_keys_created_at ON workspace_keys (created_at);
CREATE INDEX workspace_keys_workspace_id ON workspace_keys (workspace_id);

CREATE TABLE feedback (
    id         TEXT    PRIMARY KEY,
    helpful    BOOLEAN NOT NULL,
    entry_id   TEXT    NOT NULL, -- empty when the caller named only a question
    q          TEXT    NOT NULL,
    comment    TEXT    NOT NULL,
    created_at BIGINT  NOT NULL
);

CREATE INDEX feedback_created_at ON feedback (created_at);

-- Questions that no entry answered, or whose answer did not help. Equal questions share a
-- row; parts that could name a person are masked.

CREATE TABLE questions (
    number       INTEGER PRIMARY KEY, -- the owner's name for it
    question_key TEXT    NOT NULL UNIQUE, -- the same for equal questions
    q            TEXT    NOT NULL, -- as it was asked first
    unanswered   BIGINT  NOT NULL, -- how often no entry answered
    unhelpful    BIGINT  NOT NULL, -- how often the answer did not help
    entry_id     TEXT    NOT NULL, -- the entry that did not help last, or empty
    accepted     BOOLEAN NOT NULL, -- it has become an alternate since
    dismissed    BOOLEAN NOT NULL, -- it stays off the list when it is asked again
    created_at   BIGINT  NOT NULL,
    asked_at     BIGINT  NOT NULL -- last
);

CREATE INDEX questions_created_at ON questions (created_at);

-- Questions that an entry answered, stored only if the owner asks for it. Equal questions with
-- the same entry share a row; parts that could name a person are masked.

CREATE TABLE answered (
    number       INTEGER PRIMARY KEY, -- the owner's name for it
    question_key TEXT    NOT NULL, -- the same for equal questions
    entry_id     TEXT    NOT NULL,
    q            TEXT    NOT NULL, -- as it was asked first
    matched_by   TEXT    NOT NULL, -- exact, alternate, selector or model, when it was asked last
    confidence   DOUBLE PRECISION NOT NULL, -- confidence of the selector, from 0 to 1; 0 if a model chose
    asked        BIGINT  NOT NULL, -- how often
    helpful      BIGINT  NOT NULL, -- by how many clients it was marked so
    unhelpful    BIGINT  NOT NULL,
    dismissed    BOOLEAN NOT NULL, -- it is on no list of wrong answers
    created_at   BIGINT  NOT NULL,
    asked_at     BIGINT  NOT NULL, -- last
    UNIQUE (question_key, entry_id)
);

CREATE INDEX answered_created_at ON answered (created_at);
CREATE INDEX answered_entry_id ON answered (entry_id);

-- Notifications to the owner, one row for each target. They hold ids, but no name, address or
-- message.

CREATE TABLE notifications (
    id          TEXT   PRIMARY KEY, -- the same at every attempt
    target      TEXT   NOT NULL, -- webhook, ntfy or chat
    kind        TEXT   NOT NULL, -- what happened
    subject     TEXT   NOT NULL, -- what it happened to: the id of an inquiry, a week, …
    data        TEXT   NOT NULL, -- JSON object with further facts, or empty
    state       TEXT   NOT NULL CHECK (state IN ('pending', 'sent', 'failed')),
    tries       BIGINT NOT NULL, -- attempts
    detail      TEXT   NOT NULL, -- why the last attempt failed
    due_at      BIGINT NOT NULL, -- when a pending one may be sent next
    lease_owner TEXT   NOT NULL, -- the attempt that is under way, or empty
    created_at  BIGINT NOT NULL,
    settled_at  BIGINT, -- NULL while pending
    UNIQUE (subject, target, kind) -- several instances report one event once
);

CREATE INDEX notifications_due ON notifications (target, due_at) WHERE state = 'pending';
CREATE INDEX notifications_created_at ON notifications (created_at);

-- The history of the content: one row for each change of its files, whoever made it.

CREATE TABLE changes (
    number        BIGINT PRIMARY KEY, -- the owner's name for it
    source        TEXT   NOT NULL CHECK (source IN ('page', 'command', 'file')),
    summary       TEXT   NOT NULL, -- one line of words
    diff          TEXT   NOT NULL, -- of all files; empty if unknown or too large
    edits         TEXT   NOT NULL, -- JSON: its values, and the files before; empty if unknown or too large
    from_revision TEXT   NOT NULL, -- revision of the content before the change
    to_revision   TEXT   NOT NULL, -- and after it
    undoes        BIGINT NOT NULL, -- the number of the change that it reverses, or 0
    created_at    BIGINT NOT NULL,
    UNIQUE (created_at, to_revision)
);

CREATE INDEX changes_created_at ON changes (created_at);

-- Counts by day, over all instances. The names of counts that limit something on their day
-- begin with "limit ".

CREATE TABLE day_totals (
    day   BIGINT NOT NULL,
    name  TEXT   NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (day, name)
);

-- Sign-in links and sessions of the owner's pages.

CREATE TABLE owner_keys (
    key_hash   TEXT   PRIMARY KEY, -- the key itself is not stored
    kind       TEXT   NOT NULL CHECK (kind IN ('link', 'session')),
    expires_at BIGINT NOT NULL
);

-- One row, overwritten to find out whether the database can store anything.

CREATE TABLE write_checks (
    id         BIGINT PRIMARY KEY,
    checked_at BIGINT NOT NULL,
    padding    TEXT   NOT NULL
);
