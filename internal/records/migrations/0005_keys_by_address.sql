-- A key is scoped by the e-mail address of its request: another address with the
-- same key makes another request. Addresses are ASCII, in lower case here.

CREATE TABLE inquiry_keys (
    email       TEXT   NOT NULL,
    key_hash    TEXT   NOT NULL, -- SHA-256 of the key, in hexadecimal
    fingerprint TEXT   NOT NULL, -- SHA-256 of the request made under it
    inquiry_id  TEXT   NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (email, key_hash)
);

INSERT INTO inquiry_keys (email, key_hash, fingerprint, inquiry_id, created_at)
SELECT lower(inquiries.email), key_hash, fingerprint, inquiry_id, idempotency_keys.created_at
FROM idempotency_keys JOIN inquiries ON inquiries.id = inquiry_id;

DROP TABLE idempotency_keys;

CREATE INDEX inquiry_keys_created_at ON inquiry_keys (created_at);
CREATE INDEX inquiry_keys_inquiry_id ON inquiry_keys (inquiry_id);

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
