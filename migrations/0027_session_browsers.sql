-- What a session's browser calls itself, in words of ours, and when it was used last, to a quarter of an hour.
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN last_used_at BIGINT;
