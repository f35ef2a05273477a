-- Sites that agents made, each with the id of its artifact. space is the unguessable name in its public address. A site that is to
-- be published has publish_due_at, when a worker may do it, and publishing_version.
CREATE TABLE websites (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  visibility TEXT NOT NULL,
  publish_status TEXT NOT NULL,
  published_version TEXT,
  publishing_version TEXT,
  publish_due_at BIGINT,
  status_updated_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

-- Asked by whoever opens an address, which does not tell the account.
CREATE UNIQUE INDEX websites_by_space ON websites (space);
CREATE INDEX websites_by_task ON websites (account_id, task_id, id);
CREATE INDEX websites_due ON websites (publish_due_at) WHERE publish_due_at IS NOT NULL;

-- Checkpoints of sites. The files of one lie one after another in a blob; its index, as JSON, begins at index_at.
CREATE TABLE website_versions (
  account_id TEXT COLLATE "C" NOT NULL,
  website_id TEXT COLLATE "C" NOT NULL,
  number INTEGER NOT NULL,
  version_id TEXT COLLATE "C" NOT NULL,
  message TEXT NOT NULL,
  blob_id TEXT COLLATE "C" NOT NULL,
  index_at BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, website_id, number)
) WITHOUT ROWID;

CREATE UNIQUE INDEX website_versions_by_id ON website_versions (account_id, website_id, version_id);
