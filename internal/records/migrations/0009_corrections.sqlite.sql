-- The questions that an entry answered, kept when the owner asks for it: one row for all
-- that are equal and had the same entry, with parts that could name a person masked.

CREATE TABLE answered (
    number       INTEGER PRIMARY KEY, -- what the owner calls it by
    question_key TEXT    NOT NULL, -- what makes two questions equal
    entry_id     TEXT    NOT NULL,
    q            TEXT    NOT NULL, -- as it was asked first
    matched_by   TEXT    NOT NULL, -- exact, alternate, selector or model, when it was asked last
    sureness     DOUBLE PRECISION NOT NULL, -- of the selector, from 0 to 1; 0 where a model chose
    asked        BIGINT  NOT NULL, -- how often
    helpful      BIGINT  NOT NULL, -- by how many clients it was marked so
    unhelpful    BIGINT  NOT NULL,
    dismissed    BOOLEAN NOT NULL, -- the owner wants to see it on no list of wrong answers
    created_at   BIGINT  NOT NULL,
    asked_at     BIGINT  NOT NULL, -- last
    UNIQUE (question_key, entry_id)
);

CREATE INDEX answered_created_at ON answered (created_at);
CREATE INDEX answered_entry_id ON answered (entry_id);

-- Who has marked which answer today, as a hash under a secret of the day. Both are
-- deleted when the day is over; from then on no one can find out who it was.

CREATE TABLE marks (
    mark       TEXT   PRIMARY KEY,
    created_at BIGINT NOT NULL
);

CREATE TABLE mark_secrets (
    day    BIGINT PRIMARY KEY, -- days since 1970-01-01 UTC
    secret TEXT   NOT NULL
);

-- Every try to send the mail of an inquiry. One that has not ended is under way, or was
-- interrupted.

CREATE TABLE tries (
    inquiry_id  TEXT   NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
    lease_owner TEXT   NOT NULL, -- the lease under which it was made
    state       TEXT   NOT NULL, -- of the inquiry after it
    detail      TEXT   NOT NULL,
    started_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (inquiry_id, lease_owner)
);

-- A question that the owner has dismissed stays off the list when it is asked again.

ALTER TABLE questions ADD COLUMN dismissed BOOLEAN NOT NULL DEFAULT false;
