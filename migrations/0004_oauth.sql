-- Applications of other people that act for accounts. account_id is the owner's; a client_id is unique by itself.
CREATE TABLE oauth_apps (
  account_id TEXT COLLATE "C" NOT NULL,
  client_id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  homepage TEXT,
  kind TEXT NOT NULL,
  -- 1 for an application that cannot keep a secret.
  is_public INTEGER NOT NULL,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  -- Grows with every change that its users have to consent to again.
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, client_id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX oauth_apps_by_client ON oauth_apps (client_id);

CREATE TABLE oauth_secrets (
  account_id TEXT COLLATE "C" NOT NULL,
  client_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  tail TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, client_id, id)
) WITHOUT ROWID;

-- What one account allowed one application, once: from the code through every pair of tokens after it, of which one at most is
-- live. account_id is that of the user. The tokens name account and grant, so they are found without a table of digests.
CREATE TABLE oauth_grants (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  client_id TEXT COLLATE "C" NOT NULL,
  scopes TEXT NOT NULL,
  app_revision INTEGER NOT NULL,
  code_digest TEXT COLLATE "C",
  redirect_uri TEXT,
  challenge TEXT,
  code_spent_at BIGINT,
  access_digest TEXT COLLATE "C",
  access_scopes TEXT,
  access_expires_at BIGINT,
  refresh_digest TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  -- Of the code, then of the newest refresh token.
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_by_end ON oauth_grants (expires_at);

-- Refresh tokens that were exchanged: one that comes again has been stolen.
CREATE TABLE oauth_spent (
  account_id TEXT COLLATE "C" NOT NULL,
  grant_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  spent_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, grant_id, digest)
) WITHOUT ROWID;

CREATE INDEX oauth_spent_by_age ON oauth_spent (spent_at);

-- People who are signed in, each at one browser.
CREATE TABLE sessions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX sessions_by_end ON sessions (expires_at);
