/** Prefix of the instance values that hold the end of each running backup, and export or import of an account, in milliseconds as text. */
export const holdPrefix = 'backup:';

/**
 * SQL condition: whether a backup is running. While it is, nothing that its snapshot of the database may refer to is deleted. Comparing as
 * text works for thirteen digits, until the year 2286.
 */
export const isBackupRunning = `EXISTS (SELECT 1 FROM instance WHERE name > '${holdPrefix}' AND name < 'backup;'
  AND value > CAST(errand_now() AS TEXT))`;
