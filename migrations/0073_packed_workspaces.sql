-- The size of the copy of a workspace if no machine needs its folder: it is packed, and unpacked when its task resumes. Null: it is not.
ALTER TABLE workspace_saves ADD COLUMN packed_bytes BIGINT;
-- How many workspaces of an account are packed, and how many bytes they take, for its operator; corrected by the sweeper.
ALTER TABLE storage_use ADD COLUMN packed_workspaces BIGINT NOT NULL DEFAULT 0;
ALTER TABLE storage_use ADD COLUMN packed_bytes BIGINT NOT NULL DEFAULT 0;
