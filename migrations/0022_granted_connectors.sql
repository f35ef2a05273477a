-- The connectors that a person lets an application use, as a JSON array of ids. It counts with the scope use_connectors alone.
ALTER TABLE oauth_grants ADD COLUMN connectors TEXT NOT NULL DEFAULT '[]';
