-- The due tasks of each person of a product, who share the places of its account.
CREATE INDEX tasks_due_by_person ON tasks (account_id, external_user_id, priority, wake_at)
  WHERE external_user_id IS NOT NULL AND wake_at IS NOT NULL;
