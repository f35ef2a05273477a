-- What may be spent, in credits. scope 'task' with period 'reply': what a reply of this task with its subtasks may cost.
-- used: credits of sessions, whether ended or running. reserved: the worst cases of model calls under way.
-- period_at: when the counted period began; 0 for a reply. warned: whether 80 % of it have been reported.
CREATE TABLE budgets (
  account_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  period TEXT COLLATE "C" NOT NULL,
  credits BIGINT NOT NULL,
  on_limit TEXT COLLATE "C" NOT NULL,
  used BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  period_at BIGINT NOT NULL,
  warned BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, scope, scope_id, period)
) WITHOUT ROWID;

-- The part of a budget's used and reserved that the running session of a task has.
CREATE TABLE budget_holds (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  period TEXT COLLATE "C" NOT NULL,
  used BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id, scope, scope_id, period)
) WITHOUT ROWID;

-- budget_root: the task whose budget its replies draw on. budget_hold: what the running session may cost, NULL if nothing limits it.
-- budget_retry_at: when a task that waits for a budget is tried again.
ALTER TABLE tasks ADD COLUMN budget_root TEXT COLLATE "C";
ALTER TABLE tasks ADD COLUMN budget_hold BIGINT;
ALTER TABLE tasks ADD COLUMN budget_retry_at BIGINT;

CREATE INDEX tasks_waiting_for_budget ON tasks (budget_retry_at, account_id) WHERE budget_retry_at IS NOT NULL;
