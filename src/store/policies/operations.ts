import { findPolicies, listPolicies, setPolicy } from './policies.ts';

/** Every operation on policies. */
export const policyOperations = [setPolicy, listPolicies, findPolicies];
