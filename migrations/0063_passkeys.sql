-- A passkey, with which its user signs in without a password. id: from the authenticator. public_key: SubjectPublicKeyInfo in Base64url. sign_count: of the
-- authenticator at its last use. challenged_at: when the question was made that it answered last; earlier ones count no more.
CREATE TABLE passkeys (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  public_key TEXT NOT NULL,
  sign_count BIGINT NOT NULL,
  transports TEXT NOT NULL,
  is_synced BIGINT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  challenged_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
