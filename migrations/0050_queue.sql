-- Which of the due tasks of an account a worker takes first: -1 for high, 0 for normal, 1 for low priority.
ALTER TABLE tasks ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;

DROP INDEX tasks_due;
CREATE INDEX tasks_due ON tasks (account_id, priority, wake_at) WHERE wake_at IS NOT NULL;

-- How large its share of the workers is beside those of other accounts.
ALTER TABLE accounts ADD COLUMN weight BIGINT NOT NULL DEFAULT 1;
-- How many of its tasks run at once; null: the limit of the instance.
ALTER TABLE accounts ADD COLUMN max_running_tasks BIGINT;

-- How many tasks of an account, a project, or a key run at once. Claims of limited accounts lock these rows, so that they come one after
-- the other; tasks is null in a row that serves for that alone.
CREATE TABLE running_limits (
  account_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  tasks BIGINT,
  PRIMARY KEY (account_id, scope, scope_id)
) WITHOUT ROWID;
