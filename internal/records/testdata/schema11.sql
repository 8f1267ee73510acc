-- The rows of a database of schema 11, written by the program of that schema; schema11.jsonl is its export.

INSERT INTO inquiries (id, message_id, name, business, email, message, phone, segment, subject, body, mail_from, mail_to, state, detail, created_at, settled_at, lease_owner, lease_until, retry_at, done_at) VALUES
('inq_0', 'inq_0@example.org', 'Ada', 'Ada''s ''Café''', 'ada@example.com', 'two
lines; DROP TABLE inquiries', '123', 'retail', 'Pilot request', 'text 🙂', 'desk@example.org', 'owner@example.org', 'failed', '550 <no>', 1795251600123456, 1795406523721533, 'first', 1795251660000000, 1795251600123457, 1795251600123458),
('inq_1', 'inq_1@example.org', 'Ada', 'Ada''s ''Café''', 'ada@example.com', 'two
lines; DROP TABLE inquiries', '123', 'retail', 'Pilot request', 'text 🙂', 'desk@example.org', 'owner@example.org', 'pending', '', 1795424400123456, NULL, 'first', 1795251660000000, NULL, NULL),
('inq_2', 'inq_2@example.org', 'Ada', 'Ada''s ''Café''', 'ada@example.com', 'two
lines; DROP TABLE inquiries', '123', 'retail', 'Pilot request', 'text 🙂', 'desk@example.org', 'owner@example.org', 'pending', '', 1795251602123456, NULL, 'first', 1795251660000000, NULL, NULL);

INSERT INTO workspaces (id, state, business, email, name, segment, created_at) VALUES
('wsp_0', 'draft', 'B', 'b@example.com', 'Ada', 'retail', 1795251600123456),
('wsp_1', 'draft', 'B', 'b@example.com', '', '', 1795424400123456),
('wsp_2', 'draft', 'B', 'b@example.com', '', '', 1795251602123456);

INSERT INTO answered (number, question_key, entry_id, q, matched_by, sureness, asked, helpful, unhelpful, dismissed, created_at, asked_at) VALUES
(1, 'when', 'hours', 'When?', 'exact', 1, 2, 3, 3, true, 1795251600123456, 1795251600123456),
(2, 'how much', 'price', 'How much?', 'selector', 0.96875, 1, 0, 0, false, 1795424400123456, 1795424400123456);

INSERT INTO daily_counts (day, name, count) VALUES
(20780, 'rows', 7),
(20780, 'sends 192.0.2.0/24', 1),
(20780, 'sends', 1),
(20780, 'model 192.0.2.1', 2),
(20780, 'notice sends', 1);

INSERT INTO day_totals (day, name, count) VALUES
(20778, 'answered', 3),
(20780, 'answered', 1);

INSERT INTO feedback (id, helpful, entry_id, q, comment, created_at) VALUES
('fbk_0', true, 'hours', '', '', 1795251600123456),
('fbk_1', false, '', 'a < b', ' ', 1795424400123456),
('fbk_2', false, '', 'When?', '', 1795251602123456);

INSERT INTO inquiry_keys (email, key_hash, fingerprint, inquiry_id, created_at) VALUES
('ada@example.com', 'f9d6cd1ed5cf1ead7b54873537748e0daa8f1390cd61555b68089fca063444f3', '1f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f907bfd1047', 'inq_2', 1795251602123456),
('ada@example.com', '2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', '1f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f907bfd1047', 'inq_2', 1795251602123456);

INSERT INTO mark_secrets (day, secret) VALUES
(20780, 'FWKQMWHM4X6ZPFM5JBWECUOJJE');

INSERT INTO marks (mark, created_at) VALUES
('c2624263e4fd279cd96305c5b286ac5799bf105e50ecf054bea3cc2f42a62f84', 1795406523749479);

INSERT INTO model_calls (day, calls, created_at) VALUES
(20778, 1, 1795406523741516),
(20780, 2, 1795406523742081);

INSERT INTO notifications (id, target, kind, subject, data, state, tries, detail, due_at, lease_owner, created_at, settled_at) VALUES
('ntf_0', 'webhook', 'inquiry.created', 'inq_0', '{"n":1}', 'failed', 2, '503', 1795251600123456, '', 1795251600123456, 1795251600123457),
('ntf_1', 'ntfy', 'inquiry.created', 'inq_1', '', 'pending', 0, '', 1795424400123456, '', 1795424400123456, NULL);

INSERT INTO owner_keys (key_hash, kind, expires_at) VALUES
('hash', 'session', 2082758400000000);

INSERT INTO questions (number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at, dismissed) VALUES
(1, 'a', 'A?', 1, 0, '', true, 1795251600123456, 1795251600123456, false),
(2, 'b', 'B?', 1, 1, 'hours', false, 1795251600123456, 1795424400123456, true);

INSERT INTO tries (inquiry_id, lease_owner, state, detail, started_at, ended_at) VALUES
('inq_0', 'first', 'failed', '550 <no>', 1795251600123456, 1795406523721533),
('inq_1', 'first', 'pending', '', 1795424400123456, NULL);

INSERT INTO workspace_keys (email, key_hash, fingerprint, workspace_id, created_at) VALUES
('b@example.com', '2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', '79891e980747ffbd21e690297394efe764fa56d7e37750f800879fbb2d34571a', 'wsp_2', 1795251602123456);
