/** What a policy applies to: the tasks of an account, of all members of a team, or of a project. */
export const policyScopes = ['account', 'team', 'project'] as const;
export type PolicyScope = (typeof policyScopes)[number];

/** `always`: runs without asking; `ask`: a person has to confirm it; `never`: it is refused. From the mildest to the strictest. */
export const policyDecisions = ['always', 'ask', 'never'] as const;
export type PolicyDecision = (typeof policyDecisions)[number];

/** The limits of one policy. */
export const policyLimits = { rules: 100, toolLength: 128, connectorLength: 64, argumentLength: 200 };

/** Matches calls that fulfill all of its conditions. */
export interface PolicyRule {
  /** The exact name of a tool, with a connector also the name that its server gives it; `*` for any. */
  tool: string;
  /** ID of the connector that provides the tool. */
  connector?: string;
  /** A text that the JSON of the arguments contains. No pattern, so that none can be slow. */
  argument?: string;
  decision: PolicyDecision;
}

/** The rules of one scope; the first that matches decides. */
export interface Policy {
  scope: PolicyScope;
  rules: readonly PolicyRule[];
}

/** A call as policies see it. */
export interface GovernedCall {
  tool: string;
  /** What the server of its connector calls the tool. */
  serverName?: string;
  connectorId?: string;
  /** The parameters as the tool receives them. */
  params: Readonly<Record<string, unknown>>;
}

/** What policies say of a call, and which of them. */
export interface Ruling {
  decision: PolicyDecision;
  scope: PolicyScope;
}

function matches(rule: PolicyRule, { tool, serverName, connectorId }: GovernedCall, writeParams: () => string): boolean {
  if (rule.connector !== undefined && rule.connector !== connectorId) return false;
  const isNamed = rule.tool === '*' || rule.tool === tool || (rule.connector !== undefined && rule.tool === serverName);
  return isNamed && (rule.argument === undefined || writeParams().includes(rule.argument));
}

const strictness = (decision: PolicyDecision): number => policyDecisions.indexOf(decision);

/** The strictest of what the policies say of a call; null if none of them has a rule for it. */
export function applyPolicies(policies: readonly Policy[], call: GovernedCall): Ruling | null {
  let written: string | undefined;
  const writeParams = () => (written ??= JSON.stringify(call.params));
  let strictest: Ruling | null = null;
  for (const { scope, rules } of policies) {
    const rule = rules.find((each) => matches(each, call, writeParams));
    if (rule && (strictest === null || strictness(rule.decision) > strictness(strictest.decision))) {
      strictest = { decision: rule.decision, scope };
    }
  }
  return strictest;
}

/** Tells the model why a call was refused. */
export function explainNever({ scope }: Ruling): string {
  return `Not done: the policy of the ${scope} forbids this call. Go on without it, do not try it another way, and say so at the end.`;
}
