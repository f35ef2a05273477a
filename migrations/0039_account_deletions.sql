-- Accounts that were deleted, for a day after nothing of them was left: what a request under way adds late is removed as well.
CREATE TABLE account_deletions (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  deleted_at BIGINT NOT NULL
);

CREATE INDEX deliveries_of_others ON deliveries (task_account_id) WHERE task_account_id IS NOT NULL;
CREATE INDEX oauth_devices_by_account ON oauth_devices (account_id) WHERE account_id IS NOT NULL;
