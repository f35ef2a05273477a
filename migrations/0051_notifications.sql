-- What a person wants to be notified of, where and when. Accounts that have chosen nothing have no row, and nothing is queued for them.
CREATE TABLE notification_settings (
  account_id TEXT COLLATE "C" NOT NULL,
  settings TEXT NOT NULL,
  -- When the next digest is due, and from when on it tells; null for none.
  next_digest_at BIGINT,
  digested_at BIGINT NOT NULL,
  PRIMARY KEY (account_id)
) WITHOUT ROWID;
CREATE INDEX notification_settings_by_digest ON notification_settings (next_digest_at) WHERE next_digest_at IS NOT NULL;

-- Browsers that take pushed messages; each ends with the session that made it. target: endpoint and keys, sealed.
CREATE TABLE push_subscriptions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  endpoint_digest TEXT COLLATE "C" NOT NULL,
  target TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint_digest);

-- What is to be sent, and its own queue entry: ready_at is when a worker may take it, which for one that is being sent is the end of the
-- lease. target: null until it is known where it goes, then a subscription, or 'email'. A digest has the time from when on it tells as seq.
CREATE TABLE notifications (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  task_account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  target TEXT COLLATE "C",
  ready_at BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE INDEX notifications_due ON notifications (ready_at);
CREATE INDEX notifications_by_task ON notifications (task_account_id, task_id);
