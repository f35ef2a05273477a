-- A link with which a person sets a new password, once. digest: of its token.
CREATE TABLE password_links (
  account_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, digest)
) WITHOUT ROWID;
CREATE INDEX password_links_by_expiry ON password_links (expires_at);
