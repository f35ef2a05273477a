import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { setBudget } from '../../store/accounts/account-budgets.ts';
import { readUserId } from '../contract/external-user-field.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { limitField } from './budget-field.ts';
import { budgetObject, outerPeriods, outerScopes, presentOuterBudget } from './budget-object.ts';

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
    credits: limitField.nullable().meta({ description: 'A whole number of credits, at least 1; null removes the budget.' }),
  }),
  response: z.object({ budget: budgetObject.nullable().meta({ description: 'Null once it is removed.' }) }),
  async handle({ scope, id, period, credits }, { principal, now, write }) {
    const { accountId } = principal;
    const scopeId = id || (scope === 'account' ? accountId : null);
    if (scope === 'external_user') readUserId(id);
    if (scopeId === null) throw invalidField('id', `is required: which ${scope} is limited`);
    const budget = await write(setBudget, { accountId, scope, scopeId, period, credits, actor: actorOf(principal), now });
    return { budget: budget && presentOuterBudget(budget, now) };
  },
});
