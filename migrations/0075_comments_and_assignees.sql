-- What people write to each other about a task, or about one of its messages (seq; NULL for none). No model reads it. account_id: of the
-- task's owner.
CREATE TABLE comments (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  seq BIGINT,
  author_id TEXT COLLATE "C" NOT NULL,
  text TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  edited_at BIGINT,
  PRIMARY KEY (account_id, task_id, id)
) WITHOUT ROWID;
CREATE INDEX comments_by_author ON comments (author_id);

-- The member of the owner's team who acts in a task for its owner; NULL for nobody. Only tasks that are shared with the team have one.
ALTER TABLE tasks ADD COLUMN assignee TEXT COLLATE "C";
CREATE INDEX tasks_by_assignee ON tasks (assignee, id) WHERE assignee IS NOT NULL;

-- The comment that mentions the person; NULL for what happened to the task. Releases that do not know it tell of an assignment.
ALTER TABLE notifications ADD COLUMN comment_id TEXT COLLATE "C";
