-- When the account last left a team; NULL for never, and for before this migration. Sums of usage by day do not say for which team it was.
ALTER TABLE accounts ADD COLUMN left_team_at BIGINT;
