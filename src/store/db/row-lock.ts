/** How a SELECT locks the rows that it finds, at its end: not at all, after those that others have locked, or only those that nobody has. */
export type RowLock = '' | 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED';
