import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { officialSkillId, type SkillCard, type SkillPackage } from '../rules/skills/skill.ts';

/** A built-in skill; its files are read when it is loaded. */
export interface OfficialSkill extends SkillCard {
  id: string;
  body: string;
}

const shippedFolder = new URL('../../skills/', import.meta.url).pathname;

async function readOne(folder: string, name: string): Promise<OfficialSkill> {
  // The parser is loaded with the first skill, not with the service.
  const { readSkillText } = await import('./skill-text.ts');
  const skill = readSkillText(await readFile(join(folder, name, 'SKILL.md'), 'utf8'));
  return { ...skill, id: officialSkillId(skill.name) };
}

async function readAll(folder: string): Promise<OfficialSkill[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(names.toSorted().map((name) => readOne(folder, name)));
}

/** The built-in skills in the folder `skills`, read once. */
export class OfficialSkills {
  readonly #folder: string;
  #skills: Promise<OfficialSkill[]> | undefined;

  constructor(folder: string = shippedFolder) {
    this.#folder = folder;
  }

  list(): Promise<readonly OfficialSkill[]> {
    this.#skills ??= readAll(this.#folder);
    return this.#skills;
  }

  async load(id: string): Promise<SkillPackage | null> {
    const skill = (await this.list()).find((each) => each.id === id);
    if (!skill) return null;
    const top = join(this.#folder, skill.name);
    const entries = await readdir(top, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(top, join(entry.parentPath, entry.name)));
    const kept = paths.filter((path) => path !== 'SKILL.md').toSorted();
    const files = await Promise.all(kept.map(async (path) => ({ path, content: await readFile(join(top, path)) })));
    return { name: skill.name, description: skill.description, body: skill.body, files };
  }
}
