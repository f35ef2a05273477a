-- Whether the users of an account administer the instance. The first account of an instance is one of those.
ALTER TABLE accounts ADD COLUMN is_instance_owner INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET is_instance_owner = 1 WHERE account_id = (SELECT value FROM instance WHERE name = 'first_account');

-- Deliveries that failed permanently, of all accounts.
CREATE INDEX deliveries_failed ON deliveries (id) WHERE status = 'failed';

-- What a worker said of its machine when it last told that it runs; null for one of a version that did not say it.
ALTER TABLE workers ADD COLUMN disk_free BIGINT;
ALTER TABLE workers ADD COLUMN disk_total BIGINT;
ALTER TABLE workers ADD COLUMN has_sandbox INTEGER;
ALTER TABLE workers ADD COLUMN sandbox TEXT;
