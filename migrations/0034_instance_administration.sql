-- Keys of programs that administer the whole instance. A small table, like instance.
CREATE TABLE instance_keys (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  digest TEXT COLLATE "C" NOT NULL UNIQUE,
  tail TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);

-- active, disabled (its credentials are refused and its tasks rest), or deleting (what it has is being removed).
ALTER TABLE accounts ADD COLUMN status TEXT COLLATE "C" NOT NULL DEFAULT 'active';
-- Limits of its own in place of those of the instance; null: those of the instance.
ALTER TABLE accounts ADD COLUMN max_bytes BIGINT;
ALTER TABLE accounts ADD COLUMN max_files BIGINT;

CREATE INDEX accounts_at_rest ON accounts (status, account_id) WHERE status <> 'active';
