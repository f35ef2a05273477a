import type { Operation } from '../contract/operation.ts';
import { limitList } from './limit.list.ts';
import { limitSet } from './limit.set.ts';

export const limitOperations: readonly Operation[] = [limitSet, limitList];
