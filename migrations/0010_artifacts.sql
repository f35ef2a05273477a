-- What agents made for their users, one row an artifact, as its newest version is. Ids sort by creation, so the primary key is the
-- order of every list. type is the category that follows from file_type and extension, which are noted when it is made.
CREATE TABLE artifacts (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  -- Where it stands in the workspace of its task: what is delivered from there again is a newer version.
  path TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  file_type TEXT NOT NULL,
  extension TEXT,
  filename TEXT NOT NULL,
  display_name TEXT NOT NULL,
  -- Both names in lower case, one a line.
  search_text TEXT NOT NULL,
  favorite INTEGER NOT NULL,
  -- The file, or both forms of a deck, as JSON; null for a website.
  attachment TEXT,
  platform_type TEXT,
  resource_uri TEXT,
  -- The credential that created the task, as it was then.
  api_key_id TEXT COLLATE "C",
  oauth_client_id TEXT COLLATE "C",
  -- A picture of it as JSON; cover_due_at is when a worker may make one (null: nothing to do).
  cover TEXT,
  cover_due_at BIGINT,
  cover_tries INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX artifacts_by_path ON artifacts (account_id, task_id, path);
CREATE INDEX artifacts_by_task ON artifacts (account_id, task_id, id);
CREATE INDEX artifacts_by_type ON artifacts (account_id, type, id);
CREATE INDEX artifacts_by_key ON artifacts (account_id, api_key_id, id) WHERE api_key_id IS NOT NULL;
CREATE INDEX artifacts_by_client ON artifacts (account_id, oauth_client_id, id) WHERE oauth_client_id IS NOT NULL;
CREATE INDEX artifacts_cover_due ON artifacts (cover_due_at) WHERE cover_due_at IS NOT NULL;

-- Readings of artifact.list that are under way, with their newest pages as JSON. uses counts the uses of all of an account's, so
-- that the one with the smallest number is the one used least recently.
CREATE TABLE traversals (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  state TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  uses BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX traversals_by_use ON traversals (account_id, uses, id);
CREATE INDEX traversals_by_age ON traversals (used_at);
