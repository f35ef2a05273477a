-- The family of names in which a task was created; null for tasks from before, which have that of their reader.
ALTER TABLE tasks ADD COLUMN family TEXT;
