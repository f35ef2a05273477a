/** What the operator lets commands reach: nothing, all public hosts, or some. */
export type EgressPolicy = { kind: 'none' } | { kind: 'public' } | { kind: 'hosts'; patterns: readonly string[] };

/** Whether a host is one of the patterns: `example.com` itself, or with `*.example.com` every name below it. */
function matchesHost(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1 : host === pattern;
}

/** Null if the operator lets commands reach the host. */
export function refuseByPolicy(policy: EgressPolicy, host: string): string | null {
  if (policy.kind === 'public') return null;
  const isListed = policy.kind === 'hosts' && policy.patterns.some((pattern) => matchesHost(host, pattern));
  return isListed ? null : 'this host is not one that commands may reach here (ERRAND_SANDBOX_EGRESS)';
}
