-- Devices that wait for somebody to allow them at a browser; each row lives ten minutes. A small table that leads to an account.
CREATE TABLE oauth_devices (
  digest TEXT COLLATE "C" PRIMARY KEY,
  user_code TEXT COLLATE "C" NOT NULL UNIQUE,
  client_id TEXT COLLATE "C" NOT NULL,
  scopes TEXT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  -- Whose grant it became, once it is allowed.
  account_id TEXT COLLATE "C",
  grant_id TEXT COLLATE "C",
  polled_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX oauth_devices_by_end ON oauth_devices (expires_at);
