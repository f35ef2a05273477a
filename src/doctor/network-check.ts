import type { Check, DoctorContext } from './check.ts';

/** Which hosts the service may connect to. Only a request can tell whether they respond. */
export function checkOutbound({ config: { outboundAllow } }: DoctorContext): Check {
  const exceptions = outboundAllow.length === 0 ? '' : ` and ${outboundAllow.join(', ')}`;
  return { name: 'outbound', state: 'ok', found: `requests may reach public addresses${exceptions}` };
}

/** Which hosts commands of agents may reach. */
export function checkEgress({ config: { sandboxEgress } }: DoctorContext): Check {
  const name = 'egress';
  if (sandboxEgress.kind === 'none') {
    return { name, state: 'ok', found: 'commands of agents have no network access (ERRAND_SANDBOX_EGRESS)' };
  }
  const hosts = sandboxEgress.kind === 'public' ? 'public hosts' : sandboxEgress.patterns.join(', ');
  return { name, state: 'ok', found: `commands of agents may reach ${hosts}` };
}
