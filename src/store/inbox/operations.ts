import { assignItem, decideItem } from './inbox-decisions.ts';
import { listDecidedItems, listOpenItems } from './inbox-items.ts';

/** Every operation on the inbox. */
export const inboxOperations = [assignItem, decideItem, listDecidedItems, listOpenItems];
