-- Whether a stopped task was stopped by its user.
ALTER TABLE tasks ADD COLUMN stopped_by_user INTEGER NOT NULL DEFAULT 0;
