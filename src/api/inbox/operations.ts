import type { Operation } from '../contract/operation.ts';
import { inboxAssign } from './inbox.assign.ts';
import { inboxDecide } from './inbox.decide.ts';
import { inboxList } from './inbox.list.ts';

export const inboxOperations: readonly Operation[] = [inboxList, inboxDecide, inboxAssign];
