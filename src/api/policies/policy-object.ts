import { z } from 'zod';
import { policyDecisions, policyLimits, type PolicyRule, policyScopes } from '../../rules/policies/policy.ts';
import type { StoredPolicy } from '../../store/policies/policies.ts';
import { optional } from '../contract/fields.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const tool = z
  .string()
  .max(policyLimits.toolLength)
  .regex(/^(\*|[^*]+)$/, 'must be the exact name of a tool, or * for any')
  .meta({ description: 'The exact name of a tool, with `connector` also as its server names it; `*` for any.' });
const decision = z.enum(policyDecisions).meta({
  description: 'Whether the call runs without asking (`always`), only after a person has confirmed it (`ask`), or not (`never`).',
});

/** A rule in a request. */
export const ruleField = z.object({
  tool,
  connector: optional(z.string().min(1).max(policyLimits.connectorLength)).meta({
    description: 'Limits the rule to tools of the connector with this id.',
  }),
  argument: optional(z.string().min(1).max(policyLimits.argumentLength)).meta({
    description: 'Limits the rule to calls whose arguments, as JSON, contain this text; case counts.',
  }),
  decision,
});

/** Which calls agents may make without asking, have to ask for, and may not make (docs/build/confirmations.md#policies). */
export const policyObject = z
  .object({
    scope: z.enum(policyScopes),
    id: z.string().meta({ description: 'Id of the account, team, or project that the policy applies to.' }),
    rules: z.array(z.object({ tool: z.string(), connector: z.string().optional(), argument: z.string().optional(), decision })),
    updated_at: unixTime,
  })
  .meta({ id: 'Policy' });

export function readRule({ tool: name, connector, argument, decision: decided }: z.output<typeof ruleField>): PolicyRule {
  return {
    tool: name,
    ...(connector !== undefined && { connector }),
    ...(argument !== undefined && { argument }),
    decision: decided,
  };
}

export function presentPolicy({ scope, scopeId: id, rules, updatedAtMs }: StoredPolicy): z.input<typeof policyObject> {
  return { scope, id, rules, updated_at: toUnixTime(updatedAtMs) };
}
