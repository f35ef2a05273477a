-- The worker that is starting a run, so that its death ends the lease at once; null if none is, or one of a version that did not say so.
ALTER TABLE schedule_runs ADD COLUMN lease_owner TEXT COLLATE "C";
