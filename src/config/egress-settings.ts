import type { EgressPolicy } from '../rules/egress/egress-policy.ts';
import { WrongValue } from './setting.ts';

const hostPattern = /^(\*\.)?(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

export function readEgressPolicy(text: string): EgressPolicy {
  if (text === 'none' || text === 'public') return { kind: text };
  const patterns = text.split(',').map((item) => item.trim().toLowerCase());
  if (!patterns.every((pattern) => hostPattern.test(pattern))) {
    throw new WrongValue('must be none, public, or a comma-separated list of host names, without scheme and port');
  }
  return { kind: 'hosts', patterns: [...new Set(patterns)] };
}
