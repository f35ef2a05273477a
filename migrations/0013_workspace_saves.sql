-- The newest copy of a task's workspace that every machine can reach. generation grows with each; a machine that has the same one
-- beside its own folder has the folder as it was then, or newer.
CREATE TABLE workspace_saves (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  generation BIGINT NOT NULL,
  blob_id TEXT COLLATE "C" NOT NULL,
  saved_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id)
) WITHOUT ROWID;
