-- Whose credential decided, and the name that it had then (of an API key, or of a chat); null for decisions of before.
ALTER TABLE inbox_decisions ADD COLUMN decider_account_id TEXT COLLATE "C";
ALTER TABLE inbox_decisions ADD COLUMN decider_name TEXT;
