-- How often what is counted of an account was corrected: a difference that was measured before the last correction is not added to it.
ALTER TABLE storage_use ADD COLUMN corrections BIGINT NOT NULL DEFAULT 0;
