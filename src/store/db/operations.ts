import { deleteExpiredKeys } from './idempotency-keys.ts';

/** The operations on db that the database thread knows. */
export const dbOperations = [deleteExpiredKeys];
