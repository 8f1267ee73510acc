-- What is counted by day is in one table. Counts that limit something on their day have a
-- name that begins with "limit "; "model_calls" are the calls of the model.

INSERT INTO day_totals (day, name, count) SELECT day, 'limit ' || name, count FROM daily_counts;
INSERT INTO day_totals (day, name, count) SELECT day, 'model_calls', calls FROM model_calls;

DROP TABLE daily_counts;
DROP TABLE model_calls;

-- A new question gets the number after the highest one from the database itself.

CREATE TABLE numbered_questions (
    number       INTEGER PRIMARY KEY, -- what the owner calls it by
    question_key TEXT    NOT NULL UNIQUE, -- what makes two of them equal
    q            TEXT    NOT NULL, -- as it was asked first
    unanswered   BIGINT  NOT NULL, -- how often no entry answered
    unhelpful    BIGINT  NOT NULL, -- how often the answer did not help
    entry_id     TEXT    NOT NULL, -- the entry that did not help last, or empty
    accepted     BOOLEAN NOT NULL, -- it has become an alternate since
    created_at   BIGINT  NOT NULL,
    asked_at     BIGINT  NOT NULL, -- last
    dismissed    BOOLEAN NOT NULL DEFAULT false -- it stays off the list when it is asked again
);

INSERT INTO numbered_questions (number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at, dismissed)
SELECT number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at, dismissed FROM questions;

DROP TABLE questions;
ALTER TABLE numbered_questions RENAME TO questions;

CREATE INDEX questions_created_at ON questions (created_at);
