-- What was used of the last minute, for processes that share the database: [[second, count], …].
CREATE TABLE rate_windows (
  owner_id TEXT COLLATE "C" NOT NULL,
  class TEXT COLLATE "C" NOT NULL,
  counts TEXT NOT NULL,
  touched_at BIGINT NOT NULL,
  PRIMARY KEY (owner_id, class)
) WITHOUT ROWID;

CREATE INDEX rate_windows_by_age ON rate_windows (touched_at);
