-- What is counted by day over all instances: stored rows, real sends, calls of the
-- model by client. The name says what.

CREATE TABLE daily_counts (
    day   BIGINT NOT NULL, -- days since 1970-01-01 UTC
    name  TEXT   NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (day, name)
);

-- One row, written over to find out whether the database can store anything.

CREATE TABLE write_checks (
    id         BIGINT PRIMARY KEY,
    checked_at BIGINT NOT NULL,
    padding    TEXT   NOT NULL
);
