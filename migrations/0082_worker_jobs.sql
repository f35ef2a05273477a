-- What the background jobs of a worker last did, as JSON; null for a version that did not report it.
ALTER TABLE workers ADD COLUMN jobs TEXT;
