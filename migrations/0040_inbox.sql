-- What people decided in the inbox, one row for each event that waited for somebody. account_id: of the task's owner.
CREATE TABLE inbox_decisions (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  accept BIGINT,
  answer TEXT,
  note TEXT,
  decided_by TEXT NOT NULL,
  decided_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id, seq)
) WITHOUT ROWID;

-- Whom the owner of a task has asked to decide.
CREATE TABLE inbox_assignments (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  assignee TEXT COLLATE "C" NOT NULL,
  assigned_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id, seq)
) WITHOUT ROWID;
