-- What a trigger of the type 'bucket' watches: endpoint, region, name, prefix, pattern, and what becomes of an object after its task has
-- started, as JSON. Its keys are the sealed secret of the trigger. Of the columns for folders, look_at and watch_problem mean the same;
-- objects that were last changed before seen_at start nothing, and seen_at is 0 once the first list is through. watch_failures: looks that
-- have failed in a row.
ALTER TABLE triggers ADD COLUMN bucket TEXT;
ALTER TABLE triggers ADD COLUMN watch_failures BIGINT;

-- Objects of watched buckets that start nothing any more, as long as lists have them: digests of the key and of the ETag.
CREATE TABLE trigger_objects (
  account_id TEXT COLLATE "C" NOT NULL,
  trigger_id TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  -- When the object was last changed that is to be deleted because its task has started; null for one that stays.
  changed_at BIGINT,
  PRIMARY KEY (account_id, trigger_id, digest)
) WITHOUT ROWID;
