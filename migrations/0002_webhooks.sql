-- Keys that sign deliveries, a generation at each rotation; the private halves are sealed. A small table, like instance.
CREATE TABLE signing_keys (
  generation INTEGER PRIMARY KEY,
  rsa TEXT NOT NULL,
  ed25519 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- When it stops being valid; null for the newest.
  retires_at BIGINT
);

CREATE TABLE webhooks (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  url TEXT NOT NULL,
  face TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- The first of the failed attempts since the last one that succeeded; null where that was the last.
  failing_since BIGINT,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX webhooks_by_id ON webhooks (id);

-- One event for one webhook, and its own queue entry: ready_at is when a worker may take it (null: nothing to do), which for one
-- that is being sent is the end of the lease; fence grows with every claim. attempts counts all, tries those of the present run
-- through the schedule; log holds the last of them as JSON.
CREATE TABLE deliveries (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  webhook_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,
  ready_at BIGINT,
  lease_owner TEXT COLLATE "C",
  fence BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  log TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

-- Ids of webhooks and tasks are unique, so both are found without their account.
CREATE INDEX deliveries_due ON deliveries (webhook_id, ready_at) WHERE ready_at IS NOT NULL;
CREATE INDEX deliveries_by_task ON deliveries (task_id);
CREATE INDEX deliveries_by_end ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX deliveries_missed ON deliveries (webhook_id) WHERE status IN ('failed', 'skipped');
