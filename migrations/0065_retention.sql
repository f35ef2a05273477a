-- How long tasks of an account are kept after their end, in place of the limit of the instance; null for that limit.
ALTER TABLE accounts ADD COLUMN retention_days BIGINT;
-- The same for the tasks of a project, if that is shorter; 0 for no limit of its own.
ALTER TABLE projects ADD COLUMN retention_days BIGINT NOT NULL DEFAULT 0;
