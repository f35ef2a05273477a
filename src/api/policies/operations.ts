import type { Operation } from '../contract/operation.ts';
import { policyList } from './policy.list.ts';
import { policySet } from './policy.set.ts';

export const policyOperations: readonly Operation[] = [policyList, policySet];
