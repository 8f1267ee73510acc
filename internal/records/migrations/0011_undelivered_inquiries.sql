-- The metrics count the inquiries that were not delivered at each scrape.
CREATE INDEX inquiries_undelivered ON inquiries (state) WHERE state <> 'sent';
