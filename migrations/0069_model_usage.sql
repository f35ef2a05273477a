-- The model of a task's newest call, and what the newest change of its meter found open, so that the statement that charges an
-- interrupted call can say whose it was.
ALTER TABLE tasks ADD COLUMN last_model TEXT;
ALTER TABLE tasks ADD COLUMN charged_model TEXT;
ALTER TABLE tasks ADD COLUMN charged_cost BIGINT NOT NULL DEFAULT 0;

-- The model calls that usage_days does not contain yet. Added with the event that ends the call, in the same transaction; removed
-- when they are added to the sums. Costs are in millionths of a credit.
CREATE TABLE usage_calls (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  -- Empty without a project.
  project_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  input BIGINT NOT NULL,
  output BIGINT NOT NULL,
  cached BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

-- The sums of a day (its number since 1970, UTC).
CREATE TABLE usage_days (
  account_id TEXT COLLATE "C" NOT NULL,
  day BIGINT NOT NULL,
  project_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  input BIGINT NOT NULL,
  output BIGINT NOT NULL,
  cached BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  PRIMARY KEY (account_id, day, project_id, model)
) WITHOUT ROWID;
