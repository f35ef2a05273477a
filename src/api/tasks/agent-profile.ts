import { invalidField } from '@errand/base/fault.ts';
import type { Context } from '../contract/operation.ts';
import type { Plan } from '../../rules/accounts/access.ts';

const ownFamily = 'service';
const tiers = ['1.6', '1.6-lite', '1.6-max'];

/** The default profile. Tasks store this name whatever family of names the request used. */
export const defaultProfile = 'service-1.6';
const freeProfile = 'service-1.6-lite';

/** v1 responses name a task's model with this suffix, and clients send it back as a profile. */
const modelSuffix = /-agent$/;

/** A profile name without the model suffix. */
export function withoutModelSuffix(name: string): string {
  return name.replace(modelSuffix, '');
}

type Families = Pick<Context, 'families' | 'family'>;

/** The family of a request: that of its profile, else that of its credential header. */
export function familyOf(name: string | undefined, { families, family }: Families): string {
  const known = families.filter((candidate) => name?.startsWith(`${candidate}-`));
  return known.toSorted((one, other) => other.length - one.length)[0] ?? family;
}

/**
 * The stored profile for a profile name of any family. Free accounts always get the lightweight one
 * (docs/reference/api.md#profiles).
 */
export function readProfile(name: string, { families, family, plan }: Families & { plan: Plan }): string {
  const profile = withoutModelSuffix(name);
  const tier = tiers.find((candidate) => families.some((known) => profile === `${known}-${candidate}`));
  if (tier === undefined) {
    const prefix = familyOf(name, { families, family });
    const known = tiers.map((candidate) => `"${prefix}-${candidate}"`).join(', ');
    throw invalidField('agent_profile', `must be one of ${known}`);
  }
  return plan === 'free' ? freeProfile : `${ownFamily}-${tier}`;
}

/** A profile's name in a family. */
export function nameProfile(profile: string, family: string): string {
  return profile.startsWith(`${ownFamily}-`) ? `${family}${profile.slice(ownFamily.length)}` : profile;
}
