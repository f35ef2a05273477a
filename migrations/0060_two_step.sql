-- An authenticator app that shows codes for the second step of a sign-in. secret: sealed. confirmed_at: null until its first code was entered.
-- last_step: the period of the last code that was accepted.
CREATE TABLE authenticators (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  secret TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  confirmed_at BIGINT,
  last_step BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

-- A code that replaces the authenticator app once. digest: of the code.
CREATE TABLE recovery_codes (
  account_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, digest)
) WITHOUT ROWID;

-- A sign-in that waits for its second step. digest: of the token in the cookie of its browser.
CREATE TABLE pending_sign_ins (
  account_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, digest)
) WITHOUT ROWID;
CREATE INDEX pending_sign_ins_by_expiry ON pending_sign_ins (expires_at);

-- The network address of the browser at its sign-in; null for one of a version that did not store it.
ALTER TABLE sessions ADD COLUMN address TEXT;
