-- What is noted for later tasks of an account, a project, or an agent: how much each store has, its files, and their versions.
-- scope_id: of the project or agent; empty for the account. revision: raised by each change of the store.
-- restorable_from: no earlier moment can be restored, because versions of before are gone.
CREATE TABLE memory_stores (
  account_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  files BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  history_bytes BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  restorable_from BIGINT NOT NULL,
  PRIMARY KEY (account_id, scope, scope_id)
) WITHOUT ROWID;

-- The newest version of each path; is_deleted: there is no file any more, only its versions.
CREATE TABLE memory_files (
  account_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  is_deleted BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (account_id, scope, scope_id, path)
) WITHOUT ROWID;

-- content: null where the file was deleted. revision: of the store after this change, which orders versions of several files.
CREATE TABLE memory_versions (
  account_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  content TEXT,
  bytes BIGINT NOT NULL,
  untrusted BIGINT NOT NULL,
  private BIGINT NOT NULL,
  author TEXT NOT NULL,
  task_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, scope, scope_id, path, version)
) WITHOUT ROWID;

CREATE INDEX memory_versions_by_revision ON memory_versions (account_id, scope, scope_id, revision);

-- Whether new tasks of the project see and change memory.
ALTER TABLE projects ADD COLUMN memory BIGINT NOT NULL DEFAULT 1;
