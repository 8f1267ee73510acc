-- A pending inquiry is leased to whoever sends its mail. Nobody else may take it
-- before lease_until; whoever settles it must hold the lease still. Both are for
-- pending inquiries alone.

ALTER TABLE inquiries ADD COLUMN lease_owner TEXT NOT NULL DEFAULT '';
ALTER TABLE inquiries ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0;

CREATE INDEX inquiries_pending ON inquiries (lease_until) WHERE state = 'pending';

-- The Idempotency-Key of the request that made an inquiry.

CREATE TABLE idempotency_keys (
    key_hash    TEXT   PRIMARY KEY, -- SHA-256 of the key, in hexadecimal
    fingerprint TEXT   NOT NULL, -- SHA-256 of what was asked for under it
    inquiry_id  TEXT   NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
    created_at  BIGINT NOT NULL
);

CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_inquiry_id ON idempotency_keys (inquiry_id);
