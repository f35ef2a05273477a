-- A webhook of an application: it stands under the owner of the application and hears of the tasks that the application created,
-- whoever's they are; its deliveries then belong to another account than their task does.
ALTER TABLE webhooks ADD COLUMN oauth_client_id TEXT COLLATE "C";
ALTER TABLE deliveries ADD COLUMN task_account_id TEXT COLLATE "C";

CREATE INDEX webhooks_by_client ON webhooks (oauth_client_id) WHERE oauth_client_id IS NOT NULL;

DROP INDEX deliveries_by_task;
DROP INDEX deliveries_missed;
CREATE INDEX deliveries_of_task ON deliveries (account_id, task_id);
CREATE INDEX deliveries_not_sent ON deliveries (account_id, webhook_id) WHERE status IN ('failed', 'skipped');
