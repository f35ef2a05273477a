import { deleteExpiredKeys, findRemembered } from './idempotency-keys.ts';

/** Every operation on idempotency keys. */
export const dbOperations = [deleteExpiredKeys, findRemembered];
