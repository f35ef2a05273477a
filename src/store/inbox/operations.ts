import { assignItem, decideItem } from './inbox-decisions.ts';
import { decideTimedOut } from './decision-timeouts.ts';
import { listDecidedItems, listOpenItems } from './inbox-items.ts';

/** Every operation on the inbox. */
export const inboxOperations = [assignItem, decideItem, decideTimedOut, listDecidedItems, listOpenItems];
