-- What starts tasks at set times. next_run_at: NULL while it is paused, and once it has ended.
-- request: what its tasks are asked for, as JSON. task_id: the conversation, if all runs share one.
CREATE TABLE schedules (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  cron TEXT,
  interval_seconds BIGINT,
  run_at BIGINT,
  time_zone TEXT NOT NULL,
  start_at BIGINT,
  end_at BIGINT,
  -- From where intervals count.
  anchor_at BIGINT NOT NULL,
  conversation TEXT COLLATE "C" NOT NULL,
  overlap TEXT COLLATE "C" NOT NULL,
  catch_up TEXT COLLATE "C" NOT NULL,
  request TEXT NOT NULL,
  -- The credential with which it was made.
  api_key_id TEXT COLLATE "C",
  oauth_client_id TEXT COLLATE "C",
  task_id TEXT COLLATE "C",
  next_run_at BIGINT,
  last_run_at BIGINT,
  last_outcome TEXT COLLATE "C",
  -- Started runs, and every run that was ever recorded.
  runs BIGINT NOT NULL,
  recorded BIGINT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX schedules_due ON schedules (next_run_at) WHERE next_run_at IS NOT NULL;

-- One time at which a schedule was due, or was run by hand. ready_at: when a worker may start it; NULL once its outcome is known.
-- credits_before: what its task had cost when it started.
CREATE TABLE schedule_runs (
  account_id TEXT COLLATE "C" NOT NULL,
  schedule_id TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  ready_at BIGINT,
  tries BIGINT NOT NULL,
  outcome TEXT COLLATE "C",
  reason TEXT,
  started_at BIGINT,
  task_id TEXT COLLATE "C",
  credits_before BIGINT,
  PRIMARY KEY (account_id, schedule_id, due_at)
) WITHOUT ROWID;

CREATE INDEX schedule_runs_ready ON schedule_runs (ready_at) WHERE ready_at IS NOT NULL;
CREATE INDEX schedule_runs_open ON schedule_runs (account_id, schedule_id, due_at) WHERE ready_at IS NOT NULL;

-- The schedule that started a task.
ALTER TABLE tasks ADD COLUMN schedule_id TEXT COLLATE "C";

CREATE INDEX tasks_by_schedule ON tasks (account_id, schedule_id, id) WHERE schedule_id IS NOT NULL;
