-- A connector that is a command of the operator's in place of an address: a line for the shell and a folder, as JSON.
ALTER TABLE connectors ADD COLUMN command TEXT;
