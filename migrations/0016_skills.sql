-- What tasks of a project that work alone do where a person would be asked: allow or refuse.
ALTER TABLE projects ADD COLUMN actions TEXT NOT NULL DEFAULT 'allow';

-- Skills that accounts brought. Those that come with the service are files of it.
CREATE TABLE skills (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  owner_type TEXT COLLATE "C" NOT NULL,
  -- The project or the team that it is for; '' for the account's own.
  owner_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  description TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX skills_by_name ON skills (account_id, owner_type, owner_id, name);
CREATE INDEX skills_by_team ON skills (owner_id) WHERE owner_type = 'team';

-- One file of a skill, its content in base64.
CREATE TABLE skill_files (
  account_id TEXT COLLATE "C" NOT NULL,
  skill_id TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (account_id, skill_id, path)
) WITHOUT ROWID;
