-- Whether a trigger has a URL ('http') or an address for mail ('email').
ALTER TABLE triggers ADD COLUMN type TEXT COLLATE "C" NOT NULL DEFAULT 'http';
