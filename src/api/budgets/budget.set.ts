import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { setBudget } from '../../store/accounts/account-budgets.ts';
import { readUserId } from '../contract/external-user-field.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { budgetObject, outerPeriods, outerScopes, presentOuterBudget } from './budget-object.ts';
import { limitField, moneyField, readLimit } from './money-field.ts';

export const budgetSet = defineOperation('POST', 'budget.set', {
  summary:
    'Sets, changes, or removes what an account, project, key, application, schedule, or person (`external_user_id`) may cost in a day or month.',
  details: [
    'A new budget counts from when it is set. At its limit, tasks wait until the next period begins or the budget is raised.',
    'Periods are those of UTC.',
  ].join(' '),
  access: 'all_tasks',
  request: z.object({
    scope: z.enum(outerScopes),
    id: optional(z.string()).meta({
      description: 'What is limited; for the scope `account` it is the own one and can be omitted.',
    }),
    period: z.enum(outerPeriods),
    credits: limitField.nullish().meta({ description: 'A whole number of credits, at least 1; null removes the budget.' }),
    money: optional(moneyField),
  }),
  response: z.object({ budget: budgetObject.nullable().meta({ description: 'Null once it is removed.' }) }),
  async handle({ scope, id, period, ...limit }, { principal, now, write, credits: { price } }) {
    const { accountId } = principal;
    const isRemoved = limit.credits === null && !limit.money;
    const credits = isRemoved ? null : readLimit(limit, price);
    const scopeId = id || (scope === 'account' ? accountId : null);
    if (scope === 'external_user') readUserId(id);
    if (scopeId === null) throw invalidField('id', `is required: which ${scope} is limited`);
    // No row contains NUL, and PostgreSQL rejects it.
    if (scopeId.includes('\0')) throw new Fault('not_found', `${scope} not found`, { param: 'id' });
    const budget = await write(setBudget, { accountId, scope, scopeId, period, credits, actor: actorOf(principal), now });
    return { budget: budget && presentOuterBudget(budget, now, price) };
  },
});
