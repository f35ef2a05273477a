import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { type SkillCard, skillOwners } from '../../rules/skills/skill.ts';
import { listSkills, type StoredSkill } from '../../store/skills/skills.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A skill (docs/reference/wire-format.md#resources). */
export const skillObject = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    owner_type: z.enum(skillOwners),
    creator_info: z.object({ user_id: z.string(), name: z.string() }),
    created_at: unixTime,
    updated_at: unixTime,
  })
  .meta({ id: 'Skill' });

export type SkillObject = z.input<typeof skillObject>;

/** When the built-in skills of this version last changed. */
const shippedAtS = Date.UTC(2026, 10, 21) / 1000;

export function presentOfficial({ id, name, description }: SkillCard & { id: string }): SkillObject {
  const creator = { user_id: 'errand', name: 'Errand' };
  return { id, name, description, owner_type: 'official', creator_info: creator, created_at: shippedAtS, updated_at: shippedAtS };
}

export function presentSkill(skill: StoredSkill): SkillObject {
  const { id, name, description, owner, accountId, creator } = skill;
  return {
    ...{ id, name, description },
    owner_type: owner,
    creator_info: { user_id: accountId, name: creator },
    created_at: toUnixTime(skill.createdAtMs),
    updated_at: toUnixTime(skill.updatedAtMs),
  };
}

/** Checks the skill ids in request fields; 400 for one that is not available to the account. */
export async function checkSkills(
  fields: Readonly<Record<string, readonly string[] | undefined>>,
  projectId: string | null,
  { principal, read, skills }: Context,
): Promise<void> {
  const named = Object.entries(fields).flatMap(([field, ids = []]) => ids.map((id) => ({ field, id })));
  if (named.length === 0) return;
  const stored = await read(listSkills, { accountId: principal.accountId, projectId });
  const known = new Set([...(await skills.listOfficial()), ...stored].map(({ id }) => id));
  const unknown = named.find(({ id }) => !known.has(id));
  if (unknown) throw invalidField(unknown.field, 'skill not found');
}
