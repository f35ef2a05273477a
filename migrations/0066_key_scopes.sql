-- What an API key may do, and when it ends; null for never. The stored digest of a key with such a limit differs from that of any key, so
-- that the previous version, which knows no limits, refuses it.
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'everything';
ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;
