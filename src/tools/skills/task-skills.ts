import type { SkillFile, SkillPackage } from '../../rules/skills/skill.ts';
import { skillFolder } from '../../rules/skills/skill.ts';
import { dressKit } from '@errand/documents/kit';
import type { Workspace } from '@errand/sandbox/workspace';
import { dressOf, type TaskBrand } from '../brands/task-brand.ts';
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

const kitName = 'design-kit';
const kitFolder = 'kit/';

/** What the page of the design kit says first if there is a brand. */
const brandRemark = `The user has a brand. It is a ninth theme, \`data-theme="brand"\`, which the examples have: take it unless another look is
asked for. Its colors, fonts, logo, and footer come by themselves; put no logo of your own on a cover.`;

/** The design kit with a brand, which pages have that name no other theme. */
async function dressSkill(files: readonly SkillFile[], brand: TaskBrand): Promise<SkillFile[]> {
  const kit = files.filter(({ path }) => path.startsWith(kitFolder));
  const sheets = new Map(kit.map(({ path, content }) => [path.slice(kitFolder.length), content]));
  const dressed = dressKit(sheets, await dressOf(brand));
  const rest = files.filter((file) => !kit.includes(file));
  const shown = rest.map(({ path, content }) => ({
    path,
    content: path.endsWith('.html')
      ? Buffer.from(
          Buffer.from(content)
            .toString()
            .replace(/(<html\b[^>]*\bdata-theme=)"\w+"/, '$1"brand"'),
        )
      : content,
  }));
  return [...[...dressed].map(([path, content]) => ({ path: `${kitFolder}${path}`, content })), ...shown];
}

/** Writes a skill's files to the workspace and returns its text for the model. Idempotent. */
export async function unpackSkill(
  { name, body, files: own }: SkillPackage,
  workspace: Workspace,
  brand: TaskBrand | null = null,
): Promise<string> {
  const folder = `${skillFolder}/${name}`;
  const isDressed = brand !== null && name === kitName;
  const files = isDressed ? await dressSkill(own, brand) : own;
  for (const { path, content } of files) await workspace.write(`${folder}/${path}`, content);
  return `The skill ${name}:\n\n${isDressed ? `${brandRemark}\n\n` : ''}${body}${listFiles(folder, files)}`;
}
