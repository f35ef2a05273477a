-- URLs that start a task with what somebody sends there.
CREATE TABLE triggers (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  -- How a request proves that it is its sender's: the scheme, the secret (sealed; null for none), and its header.
  verification TEXT COLLATE "C" NOT NULL,
  secret TEXT,
  header TEXT,
  -- The end of the URL: its digest finds the trigger, the sealed text is shown to its owner.
  token_digest TEXT COLLATE "C" NOT NULL,
  token TEXT NOT NULL,
  -- Where the sender puts the id of what it sends; null for nowhere.
  dedupe TEXT,
  filter TEXT NOT NULL,
  -- What its tasks are asked for, with the template in place of the message; and the credential that created the trigger.
  request TEXT NOT NULL,
  api_key_id TEXT COLLATE "C",
  oauth_client_id TEXT COLLATE "C",
  -- Whether messages go to one task, and to which.
  conversation TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX triggers_by_token ON triggers (token_digest);

-- What was sent to a trigger lately, and what came of it.
CREATE TABLE trigger_events (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  trigger_id TEXT COLLATE "C" NOT NULL,
  -- Whether a sender, a test, or a replay caused it.
  cause TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C",
  problem TEXT,
  notes TEXT NOT NULL,
  headers TEXT NOT NULL,
  -- Null if it was refused or is too long to be stored; its length in bytes.
  body TEXT,
  body_bytes BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE INDEX trigger_events_by_trigger ON trigger_events (account_id, trigger_id, id);

-- The senders' ids of what has started a task, as digests.
CREATE TABLE trigger_keys (
  account_id TEXT COLLATE "C" NOT NULL,
  trigger_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, trigger_id, digest)
) WITHOUT ROWID;
CREATE INDEX trigger_keys_by_age ON trigger_keys (created_at);
