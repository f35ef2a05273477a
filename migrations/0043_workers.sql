-- A worker process while it runs. A small table, like instance.
-- expires_at: when it counts as ended unless it tells that it still runs. is_draining: it takes no tasks and hands over what it holds.
CREATE TABLE workers (
  id TEXT COLLATE "C" PRIMARY KEY,
  host TEXT NOT NULL,
  concurrency BIGINT NOT NULL,
  is_draining BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
