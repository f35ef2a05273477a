import type { LegacyOperation } from './operation.ts';
import { availableCredits } from './available-credits.ts';
import { webhookCreate } from './webhook-create.ts';
import { webhookDelete } from './webhook-delete.ts';
import { webhookPublicKey } from './webhook-public-key.ts';

/** The first version of the API (specification, "Legacy v1 operations"). Its router comes out of this table. */
export const legacyOperations: readonly LegacyOperation[] = [webhookCreate, webhookDelete, webhookPublicKey, availableCredits];
