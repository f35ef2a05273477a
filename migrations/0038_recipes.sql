-- Tasks saved as forms, of an account or shared with its team.
CREATE TABLE recipes (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  -- The team that may use it; null for none.
  team_id TEXT COLLATE "C",
  fields TEXT NOT NULL,
  -- What its tasks are asked for, with the template in place of the message.
  request TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE INDEX recipes_by_team ON recipes (team_id, id) WHERE team_id IS NOT NULL;
