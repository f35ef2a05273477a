import type { EgressPolicy } from '../rules/egress/egress-policy.ts';
import { noRegistries, type PackageRegistries } from '../rules/egress/package-registries.ts';
import { setting, WrongValue } from './setting.ts';

const hostPattern = /^(\*\.)?(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

function readEgressPolicy(text: string): EgressPolicy {
  if (text === 'none' || text === 'public') return { kind: text };
  const patterns = text.split(',').map((item) => item.trim().toLowerCase());
  if (!patterns.every((pattern) => hostPattern.test(pattern))) {
    throw new WrongValue('must be none, public, or a comma-separated list of host names, without scheme and port');
  }
  return { kind: 'hosts', patterns: [...new Set(patterns)] };
}

const registryRule =
  'must be pip=URL, npm=URL or both with a comma between; each URL begins with https:// or http:// and has no password';

/** `pip=https://pypi.org/simple,npm=https://registry.npmjs.org`. */
function readPackageRegistries(text: string): PackageRegistries {
  const found: PackageRegistries = { pip: null, npm: null };
  for (const item of text.split(',').map((each) => each.trim())) {
    const [, kind, address = ''] = /^(pip|npm)=(.+)$/.exec(item) ?? [];
    const url = URL.parse(address);
    const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    if ((kind !== 'pip' && kind !== 'npm') || !isUsable || found[kind] !== null) throw new WrongValue(registryRule);
    found[kind] = url.href;
  }
  return found;
}

/** What commands of agents may reach. */
export const egressSettings = {
  ERRAND_SANDBOX_EGRESS: setting<EgressPolicy>({
    about: 'Network access of commands: `none`, `public`, or a comma-separated list of hosts, which may start with `*.`.',
    fallback: { kind: 'none' },
    fallbackText: 'none',
    example: 'pypi.org,files.pythonhosted.org,registry.npmjs.org',
    read: readEgressPolicy,
  }),
  ERRAND_PACKAGE_REGISTRIES: setting<PackageRegistries>({
    about: 'Package registries that commands may install from, whatever else they may reach: `pip=URL`, `npm=URL`, or both.',
    fallback: noRegistries,
    fallbackText: 'none',
    example: 'pip=https://pypi.org/simple,npm=https://registry.npmjs.org',
    read: readPackageRegistries,
  }),
};
