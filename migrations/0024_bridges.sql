-- Chats on a phone that speak for an account. One process serves a platform at a time: the one with the lease.
CREATE TABLE bridges (
  platform TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  -- The bot behind the configured token, and its name for people. What is kept of another bot does not count for this one.
  bot TEXT COLLATE "C",
  name TEXT,
  -- How far the platform's own list of news has been read.
  position BIGINT,
  position_at BIGINT,
  lease_owner TEXT COLLATE "C",
  lease_until BIGINT NOT NULL,
  fence BIGINT NOT NULL
) WITHOUT ROWID;

-- Codes that a person sends from the chat that is to speak for their account; each works once.
CREATE TABLE bridge_codes (
  account_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, digest)
) WITHOUT ROWID;
CREATE UNIQUE INDEX bridge_codes_digest ON bridge_codes (digest);

CREATE TABLE bridge_chats (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  platform TEXT COLLATE "C" NOT NULL,
  bot TEXT COLLATE "C" NOT NULL,
  chat TEXT COLLATE "C" NOT NULL,
  -- Who speaks in it: nobody else is heard there.
  person TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  -- Events of the main task up to here are in the chat, and so many parts of the one behind them.
  delivered_seq BIGINT NOT NULL,
  delivered_part BIGINT NOT NULL,
  -- The message last sent, and the event whose buttons are open beneath it.
  last_ref TEXT,
  prompt_seq BIGINT,
  -- The last message that was heard, as the platform counts.
  heard TEXT COLLATE "C",
  -- Why nothing can be sent there now.
  problem TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX bridge_chats_place ON bridge_chats (platform, bot, chat);
