-- The task whose agent made this one, and how many tasks stand above it.
ALTER TABLE tasks ADD COLUMN parent_id TEXT COLLATE "C";
ALTER TABLE tasks ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;

CREATE INDEX tasks_by_parent ON tasks (account_id, parent_id, id) WHERE parent_id IS NOT NULL;
