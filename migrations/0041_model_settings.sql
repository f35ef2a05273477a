-- The models of a profile, as the operator set them in the service. A small table, like instance: at most one row per profile.
CREATE TABLE model_settings (
  profile TEXT COLLATE "C" PRIMARY KEY,
  models TEXT NOT NULL,
  base_url TEXT,
  sealed_key TEXT,
  key_tail TEXT,
  revision TEXT COLLATE "C" NOT NULL,
  changed_at BIGINT NOT NULL
);
