-- What the owner did with an inquiry, and the question that led to it.

ALTER TABLE inquiries ADD COLUMN answered_at BIGINT; -- NULL until she marks it as answered
ALTER TABLE inquiries ADD COLUMN note TEXT NOT NULL DEFAULT ''; -- of hers, for herself
ALTER TABLE inquiries ADD COLUMN question TEXT NOT NULL DEFAULT ''; -- that the person carried over into the form
