-- What callers attach to a task, as JSON, and the same by key and value for lists; and lists of tasks that are not over.
ALTER TABLE tasks ADD COLUMN metadata TEXT;

CREATE TABLE task_metadata (
  account_id TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, key, value, task_id)
) WITHOUT ROWID;

CREATE INDEX task_metadata_by_task ON task_metadata (account_id, task_id);
CREATE INDEX tasks_by_status ON tasks (account_id, status, id) WHERE status <> 'stopped';
