import { z } from 'zod';
import { listPolicies, type ListPoliciesArgs } from '../../store/policies/policies.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { policyObject, presentPolicy } from './policy-object.ts';

export const policyList = defineOperation('GET', 'policy.list', {
  summary: 'Lists the policies of the account, of its projects, and of its team.',
  access: 'all_tasks',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(policyObject), ...pageEnd }),
  async handle({ limit, cursor: from }, { principal: { accountId }, read }) {
    const { items, end } = await readListPage(
      { query: ['policy.list', accountId], cursor: from, limit },
      (position, count) => {
        const after = position === null ? null : (JSON.parse(position) as ListPoliciesArgs['after']);
        return read(listPolicies, { accountId, after, limit: count });
      },
      ({ scope, scopeId }) => JSON.stringify({ scope, scopeId }),
    );
    return { data: items.map(presentPolicy), ...end };
  },
});
