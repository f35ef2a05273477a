import type { Operation } from '../contract/operation.ts';
import { budgetList } from './budget.list.ts';
import { budgetSet } from './budget.set.ts';

export const budgetOperations: readonly Operation[] = [budgetSet, budgetList];
