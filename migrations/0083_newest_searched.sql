-- The newest tasks of an account with their words: what many tasks have is found among them, before the index of words is asked.
CREATE INDEX searched_tasks_by_account ON searched_tasks (account_id, number);
