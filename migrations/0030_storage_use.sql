-- How much an account stores, maintained with every blob and workspace. Null bytes: a blob that is being written, or one from before
-- this migration, which the sweeper measures.
ALTER TABLE blobs ADD COLUMN bytes BIGINT;

CREATE INDEX blobs_to_measure ON blobs (account_id, id) WHERE bytes IS NULL;

CREATE TABLE storage_use (
  account_id TEXT COLLATE "C" NOT NULL,
  blob_bytes BIGINT NOT NULL,
  blobs BIGINT NOT NULL,
  workspace_bytes BIGINT NOT NULL,
  workspace_files BIGINT NOT NULL,
  PRIMARY KEY (account_id)
) WITHOUT ROWID;

-- The part of a task's workspace in that sum.
CREATE TABLE workspace_use (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  bytes BIGINT NOT NULL,
  files BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id)
) WITHOUT ROWID;
