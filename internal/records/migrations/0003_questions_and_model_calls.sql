-- The questions that no entry answered, or whose answer did not help: one row for
-- all that are equal, with parts that could name a person masked.

CREATE TABLE questions (
    number       BIGINT  PRIMARY KEY, -- what the owner calls it by
    question_key TEXT    NOT NULL UNIQUE, -- what makes two of them equal
    q            TEXT    NOT NULL, -- as it was asked first
    unanswered   BIGINT  NOT NULL, -- how often no entry answered
    unhelpful    BIGINT  NOT NULL, -- how often the answer did not help
    entry_id     TEXT    NOT NULL, -- the entry that did not help last, or empty
    accepted     BOOLEAN NOT NULL, -- it has become an alternate since
    created_at   BIGINT  NOT NULL,
    asked_at     BIGINT  NOT NULL -- last
);

CREATE INDEX questions_created_at ON questions (created_at);

CREATE TABLE model_calls (
    day        BIGINT PRIMARY KEY, -- days since 1970-01-01 UTC
    calls      BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
