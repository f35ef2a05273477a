import type { Check, DoctorContext } from './check.ts';

/** Lists the hosts that the service may connect to. Only a request can tell whether they respond. */
export function checkOutbound({ config: { outboundAllow } }: DoctorContext): Check {
  const exceptions = outboundAllow.length === 0 ? '' : ` and ${outboundAllow.join(', ')}`;
  return { name: 'outbound', state: 'ok', found: `requests may reach public addresses${exceptions}` };
}

/** Lists the hosts that commands of agents may reach. */
export function checkEgress({ config: { sandboxEgress, packageRegistries } }: DoctorContext): Check {
  const name = 'egress';
  const registries = Object.values(packageRegistries).filter((address) => address !== null);
  const installing = registries.length === 0 ? '' : ` and install packages from ${registries.join(', ')}`;
  if (sandboxEgress.kind === 'none') {
    const found = installing === '' ? 'have no network access (ERRAND_SANDBOX_EGRESS)' : `may only${installing.slice(4)}`;
    return { name, state: 'ok', found: `commands of agents ${found}` };
  }
  const hosts = sandboxEgress.kind === 'public' ? 'public hosts' : sandboxEgress.patterns.join(', ');
  return { name, state: 'ok', found: `commands of agents may reach ${hosts}${installing}` };
}
