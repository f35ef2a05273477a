-- The application that created a task, beside the API key: null for tasks of keys, of people and of the operator.
ALTER TABLE tasks ADD COLUMN oauth_client_id TEXT COLLATE "C";

CREATE INDEX tasks_by_client ON tasks (account_id, oauth_client_id, id) WHERE oauth_client_id IS NOT NULL;
