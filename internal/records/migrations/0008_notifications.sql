-- Notifications to the owner beside the mail: one row is one message to one target.
-- They hold ids and no name, address or message.

CREATE TABLE notifications (
    id          TEXT   PRIMARY KEY, -- the same at every try
    target      TEXT   NOT NULL, -- where it goes: webhook, ntfy, chat
    kind        TEXT   NOT NULL, -- what happened
    subject     TEXT   NOT NULL, -- what it happened to: the id of an inquiry, a week, …
    data        TEXT   NOT NULL, -- JSON object with further facts, or empty
    state       TEXT   NOT NULL CHECK (state IN ('pending', 'sent', 'failed')),
    tries       BIGINT NOT NULL,
    detail      TEXT   NOT NULL, -- why the last try did not succeed
    due_at      BIGINT NOT NULL, -- of a pending one: when it may be tried next
    lease_owner TEXT   NOT NULL, -- the try that is under way, or empty
    created_at  BIGINT NOT NULL,
    settled_at  BIGINT, -- NULL while pending
    UNIQUE (target, kind, subject) -- several instances report one event once
);

CREATE INDEX notifications_due ON notifications (target, due_at) WHERE state = 'pending';
CREATE INDEX notifications_created_at ON notifications (created_at);

-- When the service tries a failed mail again by itself; NULL means never.

ALTER TABLE inquiries ADD COLUMN retry_at BIGINT;

CREATE INDEX inquiries_retry_at ON inquiries (retry_at) WHERE state = 'failed' AND retry_at IS NOT NULL;
