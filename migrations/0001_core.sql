-- One SQL for SQLite and PostgreSQL: text is compared bytewise, times are milliseconds since the epoch, booleans are 0 and 1,
-- JSON is text. Every key begins with account_id, so that rows of an account can live together on one node of a cluster;
-- accounts and key_digests lead to an account and, with instance, are the small tables that belong on every node.

-- Facts about this instance as a whole.
CREATE TABLE instance (
  name TEXT COLLATE "C" PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE accounts (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  email TEXT COLLATE "C" NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  locale TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE key_digests (
  digest TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL
);

CREATE TABLE api_keys (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  tail TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (account_id, id)
);

-- A task row is the head of its log and its own queue entry: wake_at is when a worker may take it (null: nothing to do), which
-- for a leased task is the end of the lease; fence grows with every claim and every stop.
CREATE TABLE tasks (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  task_type TEXT COLLATE "C" NOT NULL,
  profile TEXT NOT NULL,
  locale TEXT NOT NULL,
  interactive INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  share_visibility TEXT COLLATE "C" NOT NULL,
  share_id TEXT COLLATE "C",
  api_key_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  last_seq BIGINT NOT NULL,
  last_event_at BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  wake_at BIGINT,
  lease_owner TEXT COLLATE "C",
  fence BIGINT NOT NULL,
  crashes INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX tasks_due ON tasks (account_id, wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX tasks_suspect ON tasks (account_id, wake_at) WHERE crashes > 0;
CREATE INDEX tasks_by_key ON tasks (account_id, api_key_id, id) WHERE api_key_id IS NOT NULL;

-- audience: 0 nobody outside, 1 every reader, 2 readers that ask for verbose.
CREATE TABLE events (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  audience INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (account_id, task_id, seq)
) WITHOUT ROWID;

CREATE INDEX events_shown ON events (account_id, task_id, seq) WHERE audience = 1;

CREATE TABLE idempotency_keys (
  account_id TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  used_for TEXT NOT NULL,
  result TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, key)
) WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
