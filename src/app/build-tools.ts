import type { Clock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Config } from '../config/config.ts';
import { createPress, type Press } from '@errand/sandbox/press';
import { findBrowser, findOffice, findPoppler } from '@errand/sandbox/programs';
import type { SandboxAvailability } from '@errand/sandbox';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Database } from '../store/db/database.ts';
import { readTaskTranscript } from '../store/events/task-transcript.ts';
import { createSubtaskTool } from '../tools/tasks/create-subtask.ts';
import { createReadTask } from '../tools/tasks/read-task.ts';
import { createDocumentReader } from '../tools/files/readers/document-reader.ts';
import { standardTools } from '../tools/standard-tools.ts';
import type { Tool } from '../tools/toolbox/tool.ts';
import { createSearchEngine, type SearchEngine } from '../tools/web/search-engine.ts';
import { webTools } from '../tools/web-tools.ts';
import type { ProjectSetups } from '../work/projects/project-setups.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './runtime.ts';

export interface ToolParts {
  config: Config;
  clock: Clock;
  database: Database;
  availability: SandboxAvailability;
  /** Null if this process lacks the instance's secret. */
  box: SealedBox | null;
  /** See `buildPress`. */
  press: Press | null;
  log: Log;
  /** Connects viewers with the browsers of tasks; null for none. */
  channel: Broadcast | null;
  /** Memory for responses, in bytes. */
  memory: FairGate;
}

/** Allows every address: for what the operator configured, which may run beside the service. */
const everywhere = ['0.0.0.0/0', '::/0'];

/** The search engine of the configuration, null where there is none. */
export function buildSearchEngine({ search, secrets }: Config, clock: Clock): SearchEngine | null {
  if (search === null) return null;
  return createSearchEngine({ ...search, apiKey: secrets.searchApiKey }, createSafeFetch({ allow: everywhere, clock }));
}

/** Builds the press that shows pages; null on a machine without a sandbox, Chromium, or poppler. */
export function buildPress({ sandbox }: SandboxAvailability): Press | null {
  const chromium = findBrowser();
  if (!sandbox || chromium === null || findPoppler() === null || !sandbox.languages.includes('javascript')) return null;
  return createPress({ sandbox, programs: { chromium, office: findOffice() } });
}

/** The tools of this machine and this configuration. */
export function buildTools({
  config,
  clock,
  database,
  availability: { sandbox },
  box,
  press,
  log,
  channel,
  memory,
}: ToolParts): Tool[] {
  const documents = createDocumentReader(clock);
  const httpClient = createSafeFetch({ allow: config.outboundAllow, clock, memory });
  const program = findBrowser();
  const canBrowse = sandbox?.languages.includes('javascript') === true;
  // Without the instance's secret, a session lasts as long as this process.
  const sessions = box ?? new SealedBox(randomBase62(43));
  const browser = canBrowse && program !== null ? { sandbox, program, clock, log, channel, box: sessions } : null;
  const web = webTools({ httpClient, documents, engine: buildSearchEngine(config, clock), browser });
  const tasks = [
    createSubtaskTool,
    createReadTask((accountId, taskId) => database.run(readTaskTranscript, { accountId, taskId })),
  ];
  const way = { policy: config.sandboxEgress, registries: config.packageRegistries, log, channel };
  return [...standardTools(clock, sandbox, way, documents, press), ...web, ...tasks];
}

/** Builds what runs the setup scripts of projects, loaded when a task first needs it; null on a machine without a sandbox. */
export function buildProjectSetups(
  { config, clock, log }: Runtime,
  { database, blobs }: Stores,
  { sandbox }: SandboxAvailability,
  folders: Workspaces,
): (Service & Pick<ProjectSetups, 'find'>) | null {
  if (sandbox === null) return null;
  const place = { sandbox, clock, log, policy: config.sandboxEgress, registries: config.packageRegistries };
  const load = async () => {
    const { runSetup } = await import('../tools/commands/run-setup.ts');
    const { ProjectSetups } = await import('../work/projects/project-setups.ts');
    const parts = { database, folders, blobs, clock, log, limits: config.storage };
    return new ProjectSetups({ ...parts, runScript: (work) => runSetup(place, work) });
  };
  let loaded: Promise<ProjectSetups> | null = null;
  return {
    name: 'project-setups',
    find: async (...args) => (await (loaded ??= load())).find(...args),
    start: async () => (await loaded)?.start(),
    stop: async () => (await loaded)?.stop(),
  };
}
