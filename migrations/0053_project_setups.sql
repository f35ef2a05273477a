-- The script that prepares the sandboxes of a project's tasks; empty for none.
ALTER TABLE projects ADD COLUMN setup_script TEXT NOT NULL DEFAULT '';

-- The newest run of a project's setup script.
-- script_digest: of the script that it ran. status: running, ready, failed. run: its number, by which it proves that it is the newest.
-- lease_until: when a run counts as dead unless it is renewed; null when it has ended.
-- blob_id: the files that it made; bytes, files: what they take unpacked. untrusted: it has read from hosts that the operator has not named.
CREATE TABLE project_setups (
  account_id TEXT COLLATE "C" NOT NULL,
  project_id TEXT COLLATE "C" NOT NULL,
  script_digest TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  run BIGINT NOT NULL,
  lease_until BIGINT,
  blob_id TEXT COLLATE "C",
  bytes BIGINT NOT NULL,
  files BIGINT NOT NULL,
  untrusted BIGINT NOT NULL,
  output TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (account_id, project_id)
);
