import type { SkillFile, SkillPackage } from '../../rules/skills/skill.ts';
import { skillFolder } from '../../rules/skills/skill.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { TaskSkills } from '../toolbox/tool.ts';

export const noSkills: TaskSkills = { offered: [], load: () => Promise.resolve(null) };

const shownFiles = 40;

function listFiles(folder: string, files: readonly SkillFile[]): string {
  if (files.length === 0) return '';
  const shown = files.slice(0, shownFiles).map(({ path }) => `- ${folder}/${path}`);
  const more = files.length > shownFiles ? [`- and ${files.length - shownFiles} more`] : [];
  return `\n\nIts files are in the workspace:\n${[...shown, ...more].join('\n')}`;
}

/** Writes a skill's files to the workspace and returns its text for the model. Idempotent. */
export async function unpackSkill({ name, body, files }: SkillPackage, workspace: Workspace): Promise<string> {
  const folder = `${skillFolder}/${name}`;
  for (const { path, content } of files) await workspace.write(`${folder}/${path}`, content);
  return `The skill ${name}:\n\n${body}${listFiles(folder, files)}`;
}
