-- The traceparent of what created a task; null for none.
ALTER TABLE tasks ADD COLUMN traceparent TEXT COLLATE "C";
-- Since when its log has turns to export, or until when an exporter has taken it; null if there is nothing to export.
ALTER TABLE tasks ADD COLUMN trace_due_at BIGINT;
-- The last event of its log that has been exported.
ALTER TABLE tasks ADD COLUMN traced_seq BIGINT NOT NULL DEFAULT 0;

CREATE INDEX tasks_to_trace ON tasks (trace_due_at) WHERE trace_due_at IS NOT NULL AND status <> 'running';
