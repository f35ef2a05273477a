-- What agents may do without asking, have to ask for, and may not do. owner_id: the account, or for the scope 'team' the team.
-- scope_id: of the account, team, or project. rules: a JSON array, the first that matches decides.
CREATE TABLE policies (
  owner_id TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  scope_id TEXT COLLATE "C" NOT NULL,
  rules TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (owner_id, scope, scope_id)
) WITHOUT ROWID;
