-- Whether the title is only the first words of the task's message, so that the agent may replace it once.
ALTER TABLE tasks ADD COLUMN auto_title INTEGER NOT NULL DEFAULT 0;
