import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { connectorNotGranted, grantedConnectorsOf, type Principal } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { policyLimits, type PolicyRule, type PolicyScope, policyScopes } from '../../rules/policies/policy.ts';
import { findTeamOf, teamNotFound } from '../../store/accounts/teams.ts';
import { setPolicy } from '../../store/policies/policies.ts';
import { optional } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { policyObject, presentPolicy, readRule, ruleField } from './policy-object.ts';

/** An application allows in advance only what it could also confirm, and nothing for other accounts. */
function checkApplication(principal: Principal, scope: PolicyScope, rules: readonly PolicyRule[]): void {
  const granted = grantedConnectorsOf(principal);
  if (granted === null) return;
  if (scope === 'team') throw new Fault('permission_denied', 'An application cannot set the policy of a team.');
  for (const { decision, connector } of rules) {
    if (decision !== 'always' || (connector !== undefined && granted.includes(connector))) continue;
    if (connector !== undefined) throw connectorNotGranted(connector);
    throw new Fault('permission_denied', 'An application can set always only with a connector that its user granted.');
  }
}

async function readScopeId(scope: PolicyScope, id: string | undefined, { principal, read }: Context): Promise<string> {
  if (id) return id;
  if (scope === 'account') return principal.accountId;
  if (scope === 'project') throw invalidField('id', 'is required: the project that the policy applies to');
  const team = await read(findTeamOf, principal.accountId);
  if (!team) throw teamNotFound();
  return team.id;
}

export const policySet = defineOperation('POST', 'policy.set', {
  summary:
    'Sets or removes the policy of an account, a team, or a project: which calls of its agents run, are asked about, or are refused.',
  details: [
    'The first rule of a policy that matches a call decides, and of several policies the strictest.',
    'A change applies within a second to every call that has not begun, also of running tasks.',
  ].join(' '),
  access: 'all_tasks',
  request: z.object({
    scope: z.enum(policyScopes),
    id: optional(z.string()).meta({
      description: 'Id of the project. For the scopes `account` and `team`, it can be omitted and is that of the caller.',
    }),
    rules: z
      .array(ruleField)
      .max(policyLimits.rules)
      .meta({ description: 'All rules, in their order; none removes the policy.' }),
  }),
  response: z.object({ policy: policyObject.nullable().meta({ description: 'Null once it is removed.' }) }),
  async handle({ scope, id, rules: given }, context) {
    const { principal, now, write } = context;
    const rules = given.map(readRule);
    checkApplication(principal, scope, rules);
    const scopeId = await readScopeId(scope, id, context);
    const { accountId } = principal;
    const policy = await write(setPolicy, { accountId, scope, scopeId, rules, actor: actorOf(principal), now });
    return { policy: policy && presentPolicy(policy) };
  },
});
