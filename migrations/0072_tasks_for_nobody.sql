-- The first due task for nobody, in an account whose product has people: they share its places with the account's own tasks.
CREATE INDEX tasks_due_for_nobody ON tasks (account_id, priority, wake_at)
  WHERE external_user_id IS NULL AND wake_at IS NOT NULL;
