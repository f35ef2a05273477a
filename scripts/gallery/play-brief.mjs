import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../packages/base/src/clock.ts';
import { createGenerators } from '../../packages/documents/src/generators.ts';
import { findBrowser, findOffice } from '../../packages/sandbox/src/programs/find-programs.ts';
import { openSandbox } from '../../packages/sandbox/src/open-sandbox.ts';
import { openWorkspace } from '../../packages/sandbox/src/workspace/workspace-folder.ts';
import { createPress } from '../../packages/sandbox/src/press/press.ts';
import { noSkills } from '../../src/tools/skills/task-skills.ts';
import { standardTools } from '../../src/tools/standard-tools.ts';
import { dressOf, placeBrand } from '../../src/tools/brands/task-brand.ts';
import { dressKit } from '../../packages/documents/src/kit/kit-files.ts';
import { TaskResources } from '../../src/tools/toolbox/task-resources.ts';

// A brief is a folder: what a client ordered, the texts that a model wrote, and the calls that it made, in brief.json.

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the briefs are. */
const briefsFolder = join(root, 'docs/gallery/briefs');

/**
 * @typedef {object} Brief
 * @property {string} asks what the client ordered
 * @property {{ tool: string, input: Record<string, unknown> }[]} calls
 * @property {{ file: string, pages: number[], view?: 'paper' | 'screen' | 'phone' }[]} shows
 * @property {Omit<import('../../src/rules/brands/brand.ts').Brand, 'logo'> & { logo: string }} [brand] its logo is a file of the brief
 */

/** Opens what the tools need: the sandbox, Chromium, and LibreOffice. */
export async function openStage() {
  const { sandbox } = await openSandbox({ clock: systemClock });
  const [chromium, office] = [findBrowser(), findOffice()];
  if (!sandbox || chromium === null || office === null)
    throw new Error('The gallery needs the sandbox, Chromium, and LibreOffice.');
  const press = createPress({ sandbox, programs: { chromium, office } });
  const tools = new Map(standardTools(systemClock, sandbox, undefined, undefined, press).map((tool) => [tool.name, tool]));
  return { sandbox, press, tools, generators: createGenerators(systemClock) };
}

/**
 * @param {NonNullable<Brief['brand']>} facts
 * @param {import('../../packages/sandbox/src/workspace/workspace-folder.ts').Workspace} workspace
 */
async function readBrand({ logo, ...facts }, workspace) {
  const bytes = await workspace.read(logo);
  const file = { blobId: 'logo', filename: logo, bytes: bytes.length, form: /** @type {const} */ ('svg') };
  return { facts: { ...facts, logo: file }, updatedAtMs: 1, read: () => Promise.resolve(bytes) };
}

/**
 * Puts the brand into the kit of the pages, as the skill does when it is loaded.
 * @param {Awaited<ReturnType<typeof readBrand>>} brand
 * @param {import('../../packages/sandbox/src/workspace/workspace-folder.ts').Workspace} workspace
 */
async function dressWorkspace(brand, workspace) {
  await placeBrand(brand, workspace);
  const names = (await readdir(join(root, 'skills/design-kit/kit'))).filter((name) => name.endsWith('.css'));
  const sheets = await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await workspace.read(`kit/${name}`)])));
  for (const [name, bytes] of dressKit(new Map(sheets), await dressOf(brand))) await workspace.write(`kit/${name}`, bytes);
}

/**
 * Makes the results of a brief, as an agent does: by the tools, one call after the other.
 * @param {Pick<Awaited<ReturnType<typeof openStage>>, 'tools'>} stage
 * @param {string} name
 * @param {string} folder where everything is put
 * @param {(line: string) => void} say what the model would read
 */
export async function playBrief({ tools }, name, folder, say) {
  /** @type {Brief} */
  const brief = JSON.parse(await readFile(join(briefsFolder, name, 'brief.json'), 'utf8'));
  await mkdir(folder, { recursive: true });
  await cp(join(briefsFolder, name), folder, { recursive: true });
  await cp(join(root, 'skills/design-kit/kit'), join(folder, 'kit'), { recursive: true });
  const workspace = openWorkspace(folder);
  const brand = brief.brand ? await readBrand(brief.brand, workspace) : null;
  if (brand) await dressWorkspace(brand, workspace);
  const signal = new AbortController().signal;
  for (const [at, { tool: called, input }] of brief.calls.entries()) {
    const tool = tools.get(called);
    if (!tool) throw new Error(`${name}: there is no tool ${called}`);
    const context = {
      ...{ accountId: 'gallery', taskId: name, callId: String(at), step: at + 1, workspace, signal, report: () => undefined },
      ...{ now: () => Date.UTC(2026, 10, 26), skills: noSkills, plan: [], made: [], artifacts: [], references: [], sites: [] },
      ...{ stored: { bytes: 0, files: 0 }, resources: new TaskResources() },
      egressGuard: { refuseHost: () => null, refuseFromCommand: () => null, refuseAddress: () => null },
      mapRows: () => Promise.reject(new Error('there are no rows here')),
      ...(brand && { brand }),
    };
    const startedMs = performance.now();
    const { status, output } = await tool.run(tool.input.parse(input), context);
    say(`${name}: ${called} (${Math.round(performance.now() - startedMs)} ms) ${status}: ${output}`);
  }
  return { brief, workspace };
}
