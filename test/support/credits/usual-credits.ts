import { usualCreditPlans } from '../../../src/rules/credits/credit-balance.ts';
import { usualCreditPrice } from '../../../src/rules/credits/credit-price.ts';

/** What plans get and what a credit is worth, where a test says nothing about it. */
export const usualCredits = { plans: usualCreditPlans, price: usualCreditPrice };
