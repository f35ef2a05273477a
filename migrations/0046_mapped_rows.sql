-- What models have answered about the rows of tables that tasks map (map_rows).
-- job: digest of the table, the instruction, and the schema. call_id: the call that stored it last.
-- state: done, with the answer as JSON in body; misfit, with what was wrong with a first answer; failed, with the reason.
CREATE TABLE mapped_rows (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  job TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  body TEXT NOT NULL,
  stored_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id, job, position)
) WITHOUT ROWID;
