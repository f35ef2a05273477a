-- The look of an account, or of a project in place of that. scope: account or project; scope_id: its id.
-- brand: colors, fonts, texts, and the blobs of its files, as JSON. The blobs are referenced as brand:<scope>:<scope_id>.
CREATE TABLE brands (
  account_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  brand TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, scope, scope_id)
) WITHOUT ROWID;
