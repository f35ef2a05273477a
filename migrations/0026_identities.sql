-- People as a provider of OpenID Connect knows them: who signs in there as this subject is signed in here to this account. An
-- account has one of each provider at most. email is the address that was told last, for people to read; it decides nothing.
CREATE TABLE identities (
  account_id TEXT COLLATE "C" NOT NULL,
  issuer TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  email TEXT,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (account_id, issuer)
) WITHOUT ROWID;

CREATE UNIQUE INDEX identities_by_subject ON identities (issuer, subject);
