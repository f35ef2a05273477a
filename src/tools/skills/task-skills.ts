import type { SkillFile, SkillPackage } from '../../rules/skills/skill.ts';
import { skillFolder } from '../../rules/skills/skill.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { TaskSkills } from '../toolbox/tool.ts';

export const noSkills: TaskSkills = { offered: [], load: () => Promise.resolve(null) };

const shownFiles = 40;
/** A folder with more is named as a whole: fonts and pictures would hide the scripts beside them. */
const mostOfFolder = 12;

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The paths of the files, and one line for a folder of many. */
function foldFolders(paths: readonly string[]): string[] {
  const sizes = new Map<string, number>();
  for (const path of paths) sizes.set(folderOf(path), (sizes.get(folderOf(path)) ?? 0) + 1);
  const lines = paths.map((path) => {
    const count = sizes.get(folderOf(path)) ?? 0;
    return folderOf(path) === '' || count <= mostOfFolder ? path : `${folderOf(path)} (${count} files)`;
  });
  return [...new Set(lines)];
}

function listFiles(folder: string, files: readonly SkillFile[]): string {
  if (files.length === 0) return '';
  const lines = foldFolders(files.map(({ path }) => path));
  const shown = lines.slice(0, shownFiles).map((line) => `- ${folder}/${line}`);
  const more = lines.length > shownFiles ? [`- and ${lines.length - shownFiles} more`] : [];
  return `\n\nIts files are in the workspace:\n${[...shown, ...more].join('\n')}`;
}

/** Writes a skill's files to the workspace and returns its text for the model. Idempotent. */
export async function unpackSkill({ name, body, files }: SkillPackage, workspace: Workspace): Promise<string> {
  const folder = `${skillFolder}/${name}`;
  for (const { path, content } of files) await workspace.write(`${folder}/${path}`, content);
  return `The skill ${name}:\n\n${body}${listFiles(folder, files)}`;
}
