-- How the account's user signs in; null until one is set.
ALTER TABLE accounts ADD COLUMN password TEXT;

-- Teams group accounts; an account is in one team at most.
CREATE TABLE teams (
  team_id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE team_members (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  team_id TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  joined_at BIGINT NOT NULL
);

CREATE INDEX team_members_by_team ON team_members (team_id, account_id);

CREATE TABLE team_invitations (
  digest TEXT COLLATE "C" PRIMARY KEY,
  team_id TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX team_invitations_by_email ON team_invitations (team_id, email);

-- What happened to an account's security: sign-ins, keys, teams, applications. Never changed, only forgotten with age.
CREATE TABLE security_events (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  actor TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX security_events_by_age ON security_events (at);
