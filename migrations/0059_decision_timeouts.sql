-- decision_timeout_ms: how long a task waits for an answer or a confirmation; NULL for as long as it takes. decision_timeout_answer: the answer
-- that a question gets then; NULL tells the agent to go on by its own judgement. decision_due_at: when what it waits for now is decided so.
ALTER TABLE tasks ADD COLUMN decision_timeout_ms BIGINT;
ALTER TABLE tasks ADD COLUMN decision_timeout_answer TEXT;
ALTER TABLE tasks ADD COLUMN decision_due_at BIGINT;

CREATE INDEX tasks_waiting_for_decision ON tasks (decision_due_at, account_id) WHERE decision_due_at IS NOT NULL;
