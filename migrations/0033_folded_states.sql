-- What the log of a task folds to, up to the event seq, as JSON; only a shortcut, which can be made again from the log at any time.
-- version: of the fold that made it. Another fold ignores it.
CREATE TABLE folded_states (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (account_id, task_id)
) WITHOUT ROWID;
