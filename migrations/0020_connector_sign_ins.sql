-- Signing in at an MCP server for the account's user. oauth is sealed: the registration there, tokens, a sign-in under way.
ALTER TABLE connectors ADD COLUMN oauth TEXT;
-- 'needed' or 'granted'; null for servers that know no sign-in.
ALTER TABLE connectors ADD COLUMN sign_in TEXT;
