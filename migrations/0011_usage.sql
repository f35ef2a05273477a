-- What the session under way has cost so far and what the model call that is open is estimated at, in millionths of a credit;
-- credits: what ended sessions have cost and nobody gave back.
ALTER TABLE tasks ADD COLUMN session_cost BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN open_cost BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN credits BIGINT NOT NULL DEFAULT 0;

-- The ledger: what it says is never changed and never removed. settled tells whether credit_balances contains it already.
CREATE TABLE usage_records (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  type TEXT NOT NULL,
  -- Negative for what was consumed or taken away.
  credits BIGINT NOT NULL,
  -- Of a session: its task, and the event that ended it; a cost and its refund have the same.
  task_id TEXT COLLATE "C",
  session BIGINT,
  -- Of everything else: what it was for, and the kind of credits.
  title TEXT,
  kind TEXT,
  created_at BIGINT NOT NULL,
  settled INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX usage_records_open ON usage_records (account_id, id) WHERE settled = 0;

-- What the settled records of an account add up to, by kind, and the periods whose grants are among them.
CREATE TABLE credit_balances (
  account_id TEXT COLLATE "C" NOT NULL,
  refresh BIGINT NOT NULL,
  periodic BIGINT NOT NULL,
  event BIGINT NOT NULL,
  addon BIGINT NOT NULL,
  free BIGINT NOT NULL,
  month_at BIGINT NOT NULL,
  day_at BIGINT NOT NULL,
  PRIMARY KEY (account_id)
);
