-- Since when a task may have something new to search for, or until when a worker has taken it; null if there is nothing new. A new task has.
ALTER TABLE tasks ADD COLUMN search_due_at BIGINT DEFAULT 0;

CREATE INDEX tasks_to_index ON tasks (search_due_at) WHERE search_due_at IS NOT NULL;

-- The words of a task, once each, with the mark of its account before each. places (JSON) tells where in the task they occur. number names it in
-- the index of words, and orders tasks by creation. seq is the last event of its log that was read.
CREATE TABLE searched_tasks (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  words TEXT NOT NULL,
  places TEXT NOT NULL,
  PRIMARY KEY (account_id, task_id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX searched_tasks_by_number ON searched_tasks (number);

-- The beginning of the text files that tasks delivered, as it was searched.
CREATE TABLE searched_files (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  artifact_id TEXT COLLATE "C" NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (account_id, task_id, artifact_id)
) WITHOUT ROWID;

-- Both engines answer `SELECT rowid FROM searched_words('word beginni*')`: the numbers of the tasks that have all these words.
-- only SQLite
CREATE VIRTUAL TABLE searched_words USING fts5(words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
-- What is deleted leaves the index at once, not when its parts are merged one day.
INSERT INTO searched_words (searched_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER searched_tasks_inserted AFTER INSERT ON searched_tasks BEGIN
  INSERT INTO searched_words (rowid, words) VALUES (new.number, new.words);
END;

CREATE TRIGGER searched_tasks_deleted AFTER DELETE ON searched_tasks BEGIN
  INSERT INTO searched_words (searched_words, rowid, words) VALUES ('delete', old.number, old.words);
END;

-- Words are mostly added, and only those are written.
CREATE TRIGGER searched_tasks_extended AFTER UPDATE OF words ON searched_tasks
WHEN new.words <> old.words AND substr(new.words, 1, length(old.words) + 1) = old.words || ' ' BEGIN
  INSERT INTO searched_words (rowid, words) VALUES (new.number, substr(new.words, length(old.words) + 2));
END;

CREATE TRIGGER searched_tasks_changed AFTER UPDATE OF words ON searched_tasks
WHEN new.words <> old.words AND substr(new.words, 1, length(old.words) + 1) <> old.words || ' ' BEGIN
  INSERT INTO searched_words (searched_words, rowid, words) VALUES ('delete', old.number, old.words);
  INSERT INTO searched_words (rowid, words) VALUES (new.number, new.words);
END;
-- only PostgreSQL
-- Words are stored beside the row, so that reading many rows for their numbers reads few pages.
ALTER TABLE searched_tasks SET (toast_tuple_target = 128);

CREATE INDEX searched_tasks_by_word ON searched_tasks USING GIN (array_to_tsvector(string_to_array(words, ' ')));

CREATE OR REPLACE FUNCTION searched_words(query TEXT) RETURNS TABLE ("rowid" BIGINT) LANGUAGE SQL STABLE AS $$
  SELECT s.number FROM searched_tasks s
  WHERE array_to_tsvector(string_to_array(s.words, ' ')) @@ replace(replace(query, ' ', ' & '), '*', ':*')::tsquery
$$;
-- both
