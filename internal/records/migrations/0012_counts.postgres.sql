-- What is counted by day is in one table. Counts that limit something on their day have a
-- name that begins with "limit "; "model_calls" are the calls of the model.

INSERT INTO day_totals (day, name, count) SELECT day, 'limit ' || name, count FROM daily_counts;
INSERT INTO day_totals (day, name, count) SELECT day, 'model_calls', calls FROM model_calls;

-- daily_counts and model_calls stay for instances of the version before, which may run
-- until they are replaced one by one. A later step drops them.
