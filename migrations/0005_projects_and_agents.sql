CREATE TABLE projects (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  instruction TEXT NOT NULL,
  -- JSON arrays of the ids that its tasks get where a message names none.
  connectors TEXT NOT NULL,
  skills TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

-- An agent and its conversation, the main task: a row of tasks with the type agent_main, which no list shows.
CREATE TABLE agents (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  nickname TEXT NOT NULL,
  about TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

ALTER TABLE tasks ADD COLUMN project_id TEXT COLLATE "C";
-- The agent whose conversation it is, or that created it.
ALTER TABLE tasks ADD COLUMN agent_id TEXT COLLATE "C";

CREATE INDEX tasks_by_project ON tasks (account_id, project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX tasks_by_agent ON tasks (account_id, agent_id, id) WHERE agent_id IS NOT NULL;
