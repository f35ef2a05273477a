-- The way from the id in a share_url to its task. It holds shared tasks alone.
CREATE UNIQUE INDEX tasks_by_share ON tasks (share_id) WHERE share_id IS NOT NULL;
