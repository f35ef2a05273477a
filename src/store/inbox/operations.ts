import { assignItem, decideItem, findItemTask } from './inbox-decisions.ts';
import { decideTimedOut } from './decision-timeouts.ts';
import { listDecidedItems, listOpenItems } from './inbox-items.ts';

/** Every operation on the inbox. */
export const inboxOperations = [assignItem, decideItem, decideTimedOut, findItemTask, listDecidedItems, listOpenItems];
