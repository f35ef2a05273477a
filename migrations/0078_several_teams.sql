-- The teams of an account besides its current one, which team_members has.
CREATE TABLE other_memberships (
  account_id TEXT COLLATE "C" NOT NULL,
  team_id TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  joined_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, team_id)
) WITHOUT ROWID;
CREATE INDEX other_memberships_by_team ON other_memberships (team_id, account_id);

-- The team in which it was made; NULL for the current one of its account, which is filled in when the account switches to another.
ALTER TABLE tasks ADD COLUMN team_id TEXT COLLATE "C";
ALTER TABLE schedules ADD COLUMN team_id TEXT COLLATE "C";
ALTER TABLE triggers ADD COLUMN team_id TEXT COLLATE "C";
ALTER TABLE oauth_apps ADD COLUMN team_id TEXT COLLATE "C";
ALTER TABLE websites ADD COLUMN team_id TEXT COLLATE "C";
