-- The models that an account has brought its own key for, at most one row per profile, which is the id.
CREATE TABLE model_keys (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  models TEXT NOT NULL,
  base_url TEXT,
  sealed_key TEXT,
  key_tail TEXT,
  revision TEXT COLLATE "C" NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
);
