-- The id of the request that made an inquiry leads from the inquiry to the log.

ALTER TABLE inquiries ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
