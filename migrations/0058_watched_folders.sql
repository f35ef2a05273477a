-- What a trigger of the type 'folder' watches: root, path, and pattern, as JSON.
-- look_at: when a worker looks at it next, which during a look is the end of the lease. seen_at, seen_name: the newest file that was taken;
-- whatever was changed before it is never looked at again, so nothing is stored of single files. problem: why the last look failed.
ALTER TABLE triggers ADD COLUMN watched TEXT;
ALTER TABLE triggers ADD COLUMN look_at BIGINT;
ALTER TABLE triggers ADD COLUMN seen_at BIGINT;
ALTER TABLE triggers ADD COLUMN seen_name TEXT COLLATE "C";
ALTER TABLE triggers ADD COLUMN watch_problem TEXT;
CREATE INDEX triggers_by_look ON triggers (look_at) WHERE look_at IS NOT NULL;
