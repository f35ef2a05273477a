-- What is kept outside of the database, on disk or in a bucket. A row comes before its bytes and goes after them, so that nothing
-- is ever kept that no row knows. sweep_at is when it may be removed unless somebody refers to it by then; null: somebody does;
-- 0: it is being removed.
CREATE TABLE blobs (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  sweep_at BIGINT,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX blobs_to_sweep ON blobs (sweep_at) WHERE sweep_at IS NOT NULL;

-- Who needs a blob: a task, an uploaded file. Several may.
CREATE TABLE blob_refs (
  account_id TEXT COLLATE "C" NOT NULL,
  blob_id TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, blob_id, owner)
) WITHOUT ROWID;

CREATE INDEX blob_refs_by_owner ON blob_refs (account_id, owner);
