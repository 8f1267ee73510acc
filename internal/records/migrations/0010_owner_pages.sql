-- The owner's pages: when an inquiry was marked as done, who is signed in, and what was
-- counted on each day.

ALTER TABLE inquiries ADD COLUMN done_at BIGINT; -- NULL while it is open

CREATE TABLE owner_keys (
    key_hash   TEXT   PRIMARY KEY, -- of a sign-in link or a session; the key itself is not stored
    kind       TEXT   NOT NULL CHECK (kind IN ('link', 'session')),
    expires_at BIGINT NOT NULL
);

CREATE TABLE day_totals (
    day   BIGINT NOT NULL, -- days since 1970-01-01 UTC
    name  TEXT   NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (day, name)
);
