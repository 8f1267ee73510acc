-- A request that looks like spam is stored and not mailed: its state is quarantined.

ALTER TABLE inquiries DROP CONSTRAINT inquiries_state_check;
ALTER TABLE inquiries ADD CONSTRAINT inquiries_state_check
    CHECK (state IN ('pending', 'sent', 'failed', 'unknown', 'quarantined'));

-- Numbers of questions come from a sequence: no transaction waits for another's.

CREATE SEQUENCE question_numbers;
SELECT setval('question_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM questions), false);
