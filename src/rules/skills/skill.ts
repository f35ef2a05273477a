import { deriveId } from '@errand/base/ids.ts';

/** The owner of a skill: the service, an account, a team, or a project. */
export const skillOwners = ['personal', 'official', 'team', 'project'] as const;
export type SkillOwner = (typeof skillOwners)[number];

/** The front matter of a SKILL.md, which is all that a model sees of a skill before loading it. */
export interface SkillCard {
  name: string;
  description: string;
}

export interface SkillFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  content: Uint8Array;
}

/** A complete skill folder: the text of its SKILL.md without the front matter, and every other file. */
export interface SkillPackage extends SkillCard {
  body: string;
  files: readonly SkillFile[];
}

/** A skill that a task may load. */
export interface OfferedSkill extends SkillCard {
  id: string;
}

const mebibyte = 1024 * 1024;

export const skillLimits = {
  packageBytes: 8 * mebibyte,
  unpackedBytes: 8 * mebibyte,
  fileBytes: 2 * mebibyte,
  files: 200,
  /** Size of SKILL.md, which goes into a prompt as a whole. */
  textBytes: 48 * 1024,
  descriptionLength: 1024,
  /** Skills an account may have. */
  count: 100,
};

/** The workspace path of a loaded skill's files. */
export const skillFolder = '.skills';

/** Lower-case letters, digits and single hyphens: a skill's name is the name of its folder. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
}

/** The id of a built-in skill: the same on every instance. */
export function officialSkillId(name: string): string {
  return deriveId(0, `official skill ${name}`);
}

const precedence: readonly SkillOwner[] = ['project', 'personal', 'team', 'official'];

/** If several skills share a name, only the nearest is offered: a project's before the account's own, a team's, the service's. */
export function dropShadowed<Skill extends SkillCard & { owner: SkillOwner }>(skills: readonly Skill[]): Skill[] {
  const byName = new Map<string, Skill>();
  for (const skill of skills.toSorted((a, b) => precedence.indexOf(a.owner) - precedence.indexOf(b.owner))) {
    if (!byName.has(skill.name)) byName.set(skill.name, skill);
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
