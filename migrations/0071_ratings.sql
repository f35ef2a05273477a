-- What people think of the agent's answers: one row a person and answer. `id` is renewed with each change, so that lists begin with the
-- latest; `external_user_id` is empty unless the person is one of the account's product.
CREATE TABLE ratings (
  account_id TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  author_id TEXT COLLATE "C" NOT NULL,
  external_user_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  rating TEXT NOT NULL,
  reason TEXT NOT NULL,
  rated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, task_id, seq, author_id, external_user_id)
) WITHOUT ROWID;
CREATE INDEX ratings_by_id ON ratings (account_id, id);
CREATE INDEX ratings_by_rating ON ratings (account_id, rating, id);
CREATE INDEX ratings_by_person ON ratings (account_id, external_user_id, id);
CREATE INDEX ratings_by_author ON ratings (author_id);
