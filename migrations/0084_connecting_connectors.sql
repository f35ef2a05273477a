-- Connectors whose server had not listed its tools when the request was answered: until then, they count as connecting.
ALTER TABLE connectors ADD COLUMN connecting_ends_at BIGINT;
