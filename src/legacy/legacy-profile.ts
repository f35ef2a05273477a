import { withoutModelSuffix } from '../api/tasks/agent-profile.ts';

/** Old names of profiles in v1 (docs/reference/wire-format.md#v1-profiles), without the family prefix. */
const earlierTiers: Record<string, string> = { speed: '1.6-lite', quality: '1.6', '1.5': '1.6', '1.5-lite': '1.6-lite' };

/** The current name of a profile requested by a v1 client; current names are returned unchanged. */
export function readLegacyProfile(requested: string | undefined, families: readonly string[]): string | undefined {
  if (requested === undefined) return undefined;
  const name = withoutModelSuffix(requested);
  const family = families.find((known) => name.startsWith(`${known}-`)) ?? 'service';
  const tier = earlierTiers[name.startsWith(`${family}-`) ? name.slice(family.length + 1) : name];
  return tier === undefined ? requested : `${family}-${tier}`;
}

/** `model` of a task: the profile, and how it works. */
export function nameModel(agentProfile: string): string {
  return `${agentProfile}-agent`;
}
