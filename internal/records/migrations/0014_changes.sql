-- The history of the content: one row for each change of the files, whoever made it.

CREATE TABLE changes (
    number     BIGINT PRIMARY KEY, -- what the owner calls it by
    source     TEXT   NOT NULL CHECK (source IN ('page', 'command', 'file')),
    summary    TEXT   NOT NULL, -- in a line of words
    diff       TEXT   NOT NULL, -- of all files; empty when it was too large or is not known
    from_revision TEXT   NOT NULL, -- revision of the content before the change
    to_revision   TEXT   NOT NULL, -- and after it
    undoes     BIGINT NOT NULL, -- the number of the change that it reverses, or 0
    created_at BIGINT NOT NULL,
    UNIQUE (created_at, to_revision)
);

CREATE INDEX changes_created_at ON changes (created_at);
