/** Names of the instance values that say until when a backup runs, in milliseconds as text. */
export const holdPrefix = 'backup:';

/**
 * SQL: whether a backup is running. Meanwhile nothing that its snapshot of the database may name is deleted. Thirteen digits compare as
 * text until the year 2286.
 */
export const isBackupRunning = `EXISTS (SELECT 1 FROM instance WHERE name > '${holdPrefix}' AND name < 'backup;'
  AND value > CAST(errand_now() AS TEXT))`;
