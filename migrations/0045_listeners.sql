-- When a listener (a webhook with the status 'listening') was last asked for its events; null for every other webhook.
ALTER TABLE webhooks ADD COLUMN pulled_at BIGINT;
