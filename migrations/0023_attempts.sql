-- How often something was tried that people could guess at: passwords, codes of devices. name is a digest of what is counted
-- together; busy_until is when all that it has used is used up, on the database's clock.
CREATE TABLE attempts (
  name TEXT COLLATE "C" PRIMARY KEY,
  busy_until BIGINT NOT NULL
);

CREATE INDEX attempts_by_end ON attempts (busy_until);
