-- How the owner of a task has put it in order: above the list, or out of it.
ALTER TABLE tasks ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
-- The few that are above a list.
CREATE INDEX tasks_pinned ON tasks (account_id, id) WHERE pinned = 1;
