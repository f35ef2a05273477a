-- The latest requests of an account's programs, for its developers. `body` is kept only where it could be sent again as it is, and is
-- removed with its task; `replay` says why not.
CREATE TABLE api_requests (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  query TEXT NOT NULL,
  status BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  credential TEXT NOT NULL,
  error_code TEXT,
  error_param TEXT,
  task_id TEXT COLLATE "C",
  body TEXT,
  replay TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE INDEX api_requests_by_age ON api_requests (at);
CREATE INDEX api_requests_by_task ON api_requests (account_id, task_id) WHERE body IS NOT NULL;
