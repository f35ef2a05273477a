-- What clients uploaded to attach to messages. status: pending, uploaded, deleted. expires_at is when an uploaded file is deleted,
-- and when the row of any other is forgotten.
CREATE TABLE files (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  filename TEXT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  content_type TEXT NOT NULL,
  bytes BIGINT,
  blob_id TEXT COLLATE "C",
  oauth_client_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  upload_ends_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX files_by_expiry ON files (expires_at);
