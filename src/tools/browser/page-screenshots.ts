import { Fault } from '@errand/base/fault.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { siteSandbox } from '../../rules/files/content-safety.ts';
import { loadPageShotDriver, type PageShot } from '@errand/sandbox/drivers';
import type { Sandbox } from '@errand/sandbox';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';

const mebibyte = 1024 * 1024;
const limits = {
  memoryBytes: 1536 * mebibyte,
  processes: 512,
  fileBytes: 64 * mebibyte,
  outputBytes: mebibyte,
  workspaceBytes: 256 * mebibyte,
};
const budgetMs = 4_000;
const pictureBytes = 20 * mebibyte;

/** Parent of the temporary workspaces, one per screenshot. */
export const shownFolder = 'page';
const picture = 'shot/page.png';

const extensions = ['html', 'htm', 'css', 'js', 'mjs', 'json', 'svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'wasm'];
const texts = ['txt', 'md', 'xml', 'csv', 'webmanifest', 'woff', 'woff2', 'ttf', 'otf', 'mp3', 'wav', 'ogg', 'mp4', 'webm'];

/** Content types of the files beside a page, by extension. */
export function readContentTypes(): Record<string, string> {
  return Object.fromEntries([...extensions, ...texts].map((extension) => [extension, contentTypeOf(`a.${extension}`)]));
}

export interface PageWindow {
  width: number;
  height: number;
}

export interface PageShots {
  /** Path of the Chromium executable. */
  program: string;
  sandbox: Sandbox;
  /** Time limit for one page. */
  wallMs?: number;
}

/**
 * Takes a screenshot of a page whose files are below `page/` in a separate workspace. The browser runs in the sandbox without a network and
 * shows the page as visitors see it, in an opaque origin. Rejects with a Fault if it fails.
 */
export async function shootPage(
  { program, sandbox, wallMs = 20_000 }: PageShots,
  workspace: Workspace,
  { page, width, height }: PageWindow & { page: string },
  signal: AbortSignal,
): Promise<Buffer> {
  const driver = loadPageShotDriver();
  const shot: PageShot = {
    program,
    folder: `${workspaceMount}/${shownFolder}`,
    page: encodeURI(page),
    picture: `${workspaceMount}/${picture}`,
    types: readContentTypes(),
    policy: siteSandbox,
    width,
    height,
    budgetMs,
  };
  await workspace.write('shot/.keep', '');
  const { end, exitCode } = await sandbox.run({
    command: ['node', '--disable-warning=ExperimentalWarning', `--input-type=${driver.kind}`, '-'],
    stdin: `${driver.text}\nawait takePageShot(${JSON.stringify(shot)});\n`,
    workspace,
    signal,
    limits: { ...limits, wallMs },
  });
  if (end !== 'exit' || exitCode !== 0) throw new Fault('unavailable', 'The browser failed to take a screenshot of the page.');
  return workspace.read(picture, pictureBytes);
}
