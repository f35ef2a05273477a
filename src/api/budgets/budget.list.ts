import { z } from 'zod';
import { listBudgets, type ListBudgetsArgs } from '../../store/accounts/account-budgets.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { budgetObject, presentOuterBudget } from './budget-object.ts';

export const budgetList = defineOperation('GET', 'budget.list', {
  summary: "Lists the account's budgets besides those of single tasks, with what is used.",
  access: 'all_tasks',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(budgetObject), ...pageEnd }),
  async handle({ limit, cursor: from }, { principal, now, read, credits }) {
    const { accountId } = principal;
    const { items, end } = await readListPage(
      { query: ['budget.list', accountId], cursor: from, limit },
      (position, count) => {
        const after = position === null ? null : (JSON.parse(position) as ListBudgetsArgs['after']);
        return read(listBudgets, { accountId, after, limit: count, now });
      },
      ({ scope, scopeId, period }) => JSON.stringify({ scope, scopeId, period }),
    );
    return { data: items.map((budget) => presentOuterBudget(budget, now, credits.price)), ...end };
  },
});
