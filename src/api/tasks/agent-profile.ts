import { invalidField } from '@errand/base/fault.ts';
import type { Plan } from '../../rules/accounts/access.ts';

const ownFamily = 'service';
const tiers = ['1.6', '1.6-lite', '1.6-max'];

/** As tasks keep it, whatever family the request used. */
export const defaultProfile = 'service-1.6';
const freeProfile = 'service-1.6-lite';

/** Answers of v1 name the model of a task with this suffix, and clients send it back as a profile. */
const modelSuffix = /-agent$/;

/** A profile's name without the suffix that models have. */
export function withoutModelSuffix(name: string): string {
  return name.replace(modelSuffix, '');
}

/**
 * The profile a task works with: its name in any of the families, in ours. Free accounts get the lightweight one whatever
 * they ask for (docs/reference/api.md#profiles).
 */
export function readProfile(name: string, families: readonly string[], plan: Plan): string {
  const profile = withoutModelSuffix(name);
  const tier = tiers.find((candidate) => families.some((family) => profile === `${family}-${candidate}`));
  if (tier === undefined) {
    const known = tiers.map((candidate) => `"${ownFamily}-${candidate}"`).join(', ');
    throw invalidField('agent_profile', `must be one of ${known}`);
  }
  return plan === 'free' ? freeProfile : `${ownFamily}-${tier}`;
}

/** A profile's name in the family that the caller uses. */
export function nameProfile(profile: string, family: string): string {
  return profile.startsWith(`${ownFamily}-`) ? `${family}${profile.slice(ownFamily.length)}` : profile;
}
