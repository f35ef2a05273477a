import type { Context } from '../api/contract/operation.ts';

/** Names that profiles had in the days of v1 (docs/reference/wire-format.md#v1-profiles), without the family in front. */
const earlierTiers: Record<string, string> = { speed: '1.6-lite', quality: '1.6', '1.5': '1.6', '1.5-lite': '1.6-lite' };

/** The present name of a profile that a client of v1 asks for; names that are current stay as they are. */
export function readLegacyProfile(name: string | undefined, families: readonly string[]): string | undefined {
  if (name === undefined) return undefined;
  const family = families.find((known) => name.startsWith(`${known}-`)) ?? 'service';
  const tier = earlierTiers[name.startsWith(`${family}-`) ? name.slice(family.length + 1) : name];
  return tier === undefined ? name : `${family}-${tier}`;
}

/** `model` of a task: the profile, and how it works. */
export function nameModel(agentProfile: string): string {
  return `${agentProfile}-agent`;
}

/** The family a profile was asked for in, so that the answer is in the same. */
export function familyOf(name: string | undefined, { families, family }: Context): string {
  return families.find((known) => name?.startsWith(`${known}-`)) ?? family;
}
