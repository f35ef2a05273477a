-- MCP servers that an account has connected. Headers with keys are sealed; tools is what the server listed last, as JSON.
CREATE TABLE connectors (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  category TEXT NOT NULL,
  url TEXT NOT NULL,
  headers TEXT,
  tools TEXT NOT NULL,
  -- Whether tasks use it whose message and project name none.
  is_default INTEGER NOT NULL,
  -- Why it could not be reached when it was looked at last; null where it could.
  problem TEXT,
  checked_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
