-- The secret that signs what a webhook is sent, sealed; null for a webhook of an earlier version. The one before it stays valid for a while
-- after a rotation.
ALTER TABLE webhooks ADD COLUMN secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_secret_until BIGINT;
