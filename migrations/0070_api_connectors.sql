-- A connector that is an HTTP API described by an OpenAPI document instead of an MCP server: where its keys are sent, as JSON. Its
-- operations are in tools, its base address is url, and its keys are in headers.
ALTER TABLE connectors ADD COLUMN api TEXT;
