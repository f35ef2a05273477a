-- What an application says it is, native or web, which decides about its redirect URIs; NULL where it says nothing.
ALTER TABLE oauth_apps ADD COLUMN application_type TEXT;

-- For whom an application created a task, in the application's own terms.
ALTER TABLE tasks ADD COLUMN external_user_id TEXT COLLATE "C";

CREATE INDEX tasks_by_external_user ON tasks (account_id, external_user_id, id) WHERE external_user_id IS NOT NULL;
