import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '@errand/base/ids.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { createGenerators } from '@errand/documents';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import type { JobState } from '@errand/base/worker.ts';
import { describeMemoryLimit, type SandboxAvailability } from '@errand/sandbox';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import type { AgentPorts } from '../agent/agent-ports.ts';
import { ResourcePool } from '../agent/slots/resource-pool.ts';
import { type OpenAttachment, ShownImages } from '../agent/shown-images.ts';
import type { HttpService } from '../http/service/http-service.ts';
import { mostPictureBytes } from '../models/pictures/picture-request.ts';
import { mostSlotsOfOne } from '../rules/instance/fair-share.ts';
import { findBrand } from '../store/brands/brands.ts';
import { BlobMissing } from '../store/blobs/blob-store.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import { getInstanceValue } from '../store/instance/instance-values.ts';
import { resultTools } from '../tools/deliverable-tools.ts';
import { createToolbox } from '../tools/toolbox/toolbox.ts';
import { sessionPrefix } from '../store/tasks/workers/ended-workers.ts';
import { createAccountFolders } from './account-folders.ts';
import { AccountWorker } from '../work/accounts/account-worker.ts';
import { BudgetWorker } from '../work/budgets/budget-worker.ts';
import { DecisionWorker } from '../work/inbox/decision-worker.ts';
import { Sweeper, WorkspaceSweeper } from '../work/instance/sweeper.ts';
import { EndedWorkerWatch } from '../work/tasks/ended-worker-watch.ts';
import { memoryFileBytes } from '../work/memory/memory-folder.ts';
import { leaseTiming } from '../work/tasks/lease-keeper.ts';
import { createSubtaskService } from '../work/tasks/subtask-service.ts';
import { PolicyCache } from '../work/policies/policy-cache.ts';
import { SearchWorker } from '../work/search/search-worker.ts';
import { RetentionWorker } from '../work/tasks/retention-worker.ts';
import { TaskWorker } from '../work/tasks/task-worker.ts';
import { WorkerRegistration } from '../work/tasks/worker-registration.ts';
import { WorkspacePacker } from '../work/tasks/workspace-packer.ts';
import { buildScheduleWorker } from './build-schedule-worker.ts';
import { buildLibrary } from './build-library-worker.ts';
import type { Services } from './build-services.ts';
import { buildPress, buildProjectSetups, buildTools } from './build-tools.ts';
import { buildPictureModel, buildTranscriber, followStandard } from './build-side-models.ts';
import { followAccountModels } from './models/own-models.ts';
import { createImagePreviewer } from './image-previewer.ts';
import { watchToolbox } from './monitoring/watched-toolbox.ts';
import { createMachineReader } from './monitoring/worker-machine.ts';
import type { Stores } from './open-stores.ts';
import type { ProcessSandbox } from './process-sandbox.ts';
import type { Runtime } from './runtime.ts';

/** Reads files of messages; null for a file that no longer exists. */
function createAttachmentReader(blobs: Blobs): OpenAttachment {
  return (accountId, blobId) =>
    blobs.open(accountId, blobId).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
}

/** What fetches files that messages wait for, loaded when the first one does. */
function fetchLate({ config, clock, memory }: Runtime, { blobs, box }: Stores): AgentPorts['fetchFile'] {
  let fetching: Promise<AgentPorts['fetchFile']> | null = null;
  const load = async () => {
    const { createFileFetcher } = await import('./files/awaited-files.ts');
    return createFileFetcher({ blobs, box, clock, httpClient: createSafeFetch({ allow: config.outboundAllow, clock, memory }) });
  };
  return async (...args) => (await (fetching ??= load()))(...args);
}

/** Calls about rows of tables in this process, of which one account has half at most. */
const rowCalls = 64;

function buildAgentPorts(
  runtime: Runtime,
  stores: Stores,
  taskTools: AgentPorts['taskTools'],
  availability: SandboxAvailability,
): Omit<AgentPorts, 'subtasks'> {
  const { config, clock, log, chance, memory, metrics } = runtime;
  const { database, blobs, workspaces, box, channel } = stores;
  const models = runtime.models.current;
  const taskModels = followAccountModels(runtime, stores);
  const findTranscriber = followStandard(models, (standard) => buildTranscriber(config, standard, clock));
  const findPictureModel = followStandard(models, (standard) => buildPictureModel(config, standard, clock));
  const openAttachment = createAttachmentReader(blobs);
  const press = buildPress(availability);
  const parts = { config, clock, database, availability, box, press, log, channel, memory };
  const findContentUrl = () => database.run(getInstanceValue, 'content_url');
  const policies = new PolicyCache({ database, clock });
  const tools = [...buildTools(parts), ...resultTools({ blobs, limit: config.storage.task, press, findContentUrl })];
  return {
    modelFor: (task) => taskModels.get(task),
    settleModels: (task) => taskModels.settle(task),
    budget: config.turnLimits,
    workspaceOf: ({ accountId, taskId }) => workspaces.open(accountId, taskId),
    openAttachment,
    fetchFile: fetchLate(runtime, stores),
    images: new ShownImages(openAttachment),
    findTranscriber: (task) => taskModels.besides(task).transcriber ?? findTranscriber(),
    findPictureModel: (task) => taskModels.besides(task).pictureModel ?? findPictureModel(),
    keepPicture: (accountId, bytes) => blobs.put(accountId, Readable.from([bytes]), { maxBytes: mostPictureBytes }),
    showPicture: createImagePreviewer(createGenerators(clock), blobs),
    taskTools,
    policiesOf: (task, projectId) => policies.find(task, projectId),
    brandOf: async ({ accountId, hasBrands }, projectId) => {
      const found = hasBrands === false ? null : await database.run(findBrand, { accountId, projectId });
      return found && { facts: found.brand, updatedAtMs: found.updatedAtMs };
    },
    toolbox: watchToolbox(createToolbox(tools, log), { metrics, clock, log }),
    deltas: database.deltas,
    clock,
    log,
    chance,
    toolSlots: new FairGate({ capacity: config.workerToolCalls, mostEach: mostSlotsOfOne(config.workerToolCalls) }),
    resourcePool: new ResourcePool(config.workerToolCalls),
    rowSlots: new FairGate({ capacity: rowCalls }),
    isTraced: config.tracing !== null,
  };
}

function logSandbox(log: Log, availability: SandboxAvailability): void {
  if (availability.sandbox === null) {
    log.info({ reason: availability.reason }, 'no sandbox: agents run no commands and no code');
    return;
  }
  const { memoryLimit } = availability;
  log.info({ memory_limit: memoryLimit.by }, `sandbox: ${describeMemoryLimit(memoryLimit)}`);
}

interface Joined {
  id: string;
  /** Names this worker in leases. */
  workerId: string;
  watches: Service[];
}

/** Tells the other workers when this process ends, and this one when theirs do, if the database server can. */
async function joinWorkers({ clock, log }: Runtime, { database, presence }: Stores): Promise<Joined> {
  const id = newId(clock.now());
  if (presence === null) return { id, workerId: id, watches: [] };
  const workerId = `${sessionPrefix}${id}`;
  if (await presence.join(workerId)) {
    return { id, workerId, watches: [new EndedWorkerWatch({ database, presence, clock, log })] };
  }
  log.warn('the database is behind a connection pooler: tasks of a worker that dies wait for the end of their leases');
  return { id, workerId: id, watches: [] };
}

/** Builds the export of traces; without a receiver, none of its code is loaded. */
async function openTracing({ config, clock, log, metrics }: Runtime, { database }: Stores): Promise<Service[]> {
  const { tracing } = config;
  if (tracing === null) return [];
  const { createTraceWorker } = await import('./monitoring/trace-export.ts');
  return [createTraceWorker({ database, clock, log, metrics, tracing, secrets: config.secrets })];
}

function showLoad({ metrics, config }: Runtime, tasks: TaskWorker): void {
  metrics.addGauge('errand_worker_concurrency', 'How many tasks this worker may hold.', () => config.workerConcurrency);
  metrics.addGauge('errand_worker_tasks', 'How many tasks this worker holds.', () => tasks.heldTasks);
  metrics.addGauge('errand_worker_draining', '1 while this worker is drained: it takes no tasks.', () =>
    tasks.isDraining ? 1 : 0,
  );
}

/**
 * Builds everything that works in the background: workers for tasks, libraries, and deliveries, and sweepers of what is no longer needed.
 * `readJobs` tells what the jobs of the whole process last did, also those that are built elsewhere.
 */
export async function buildWorkers(
  runtime: Runtime,
  stores: Stores,
  services: Services,
  sandbox: ProcessSandbox,
  http: HttpService,
  readJobs: () => readonly JobState[],
): Promise<Service[]> {
  const { config, clock, log, gauge } = runtime;
  const { database, blobs, contentKey, workspaces, keeper, isAlone, instanceId } = stores;
  const folders = createAccountFolders({ dataDir: config.dataDir, instanceId, workspaces });
  const availability = await sandbox.open();
  logSandbox(log, availability);
  const subtasks = createSubtaskService({ database, clock, keeper, demandFor: services.credits.demandFor });
  const { id, workerId, watches } = await joinWorkers(runtime, stores);
  const concurrency = config.workerConcurrency;
  const memoryFolders = createWorkspaces(join(config.dataDir, 'memory', instanceId), { fileLimitBytes: memoryFileBytes });
  const setupFolders = createWorkspaces(join(config.dataDir, 'setups', instanceId));
  const setups = buildProjectSetups(runtime, stores, availability, setupFolders);
  const tasks = new TaskWorker({
    database,
    memoryFolders,
    ...(setups && { setups }),
    log,
    keeper,
    gauge,
    contentKey: contentKey && Buffer.from(contentKey).toString('base64'),
    workerId,
    concurrency,
    usualMost: config.accountRunningTasks,
    timing: leaseTiming(config.leaseTtlMs),
    drainMs: config.drainMs,
    ports: { ...buildAgentPorts(runtime, stores, services.toolServices.taskTools, availability), subtasks },
  });
  stores.creationSlots.open(tasks);
  const library = buildLibrary({ database, blobs, pdfConversion: services.pdfConversion, availability, clock, log });
  showLoad(runtime, tasks);
  const isBusy = () => tasks.heldTasks > 0;
  const readMachine = createMachineReader(config.dataDir, availability);
  const listed = { workerId: id, host: hostname(), concurrency, readMachine, isAlone, worker: tasks };
  return [
    ...(setups ? [setups] : []),
    tasks,
    buildScheduleWorker(runtime, stores, http, workerId),
    ...watches,
    library,
    ...services.webhooks.workers,
    new BudgetWorker({ database, clock, log }),
    new DecisionWorker({ database, clock, log }),
    new AccountWorker({ database, blobs, clock, log, folders }),
    new RetentionWorker({ database, clock, log, retentionMs: config.retentionMs }),
    new SearchWorker({ database, blobs, clock, log, isBusy }),
    new WorkspacePacker({ database, workspaces, blobs, keeper, clock, log, quietMs: config.packMs, isBusy }),
    new Sweeper({ database, workspaces, memoryFolders, setupFolders, blobs, clock, log }),
    ...(await openTracing(runtime, stores)),
    new WorkerRegistration({ database, clock, log, ...listed, readJobs }),
  ];
}

/** What packs and removes the folders of a process that drives no tasks. */
export function buildFolderWorkers({ config, clock, log }: Runtime, { database, workspaces, blobs, keeper }: Stores): Service[] {
  return [
    new WorkspacePacker({ database, workspaces, blobs, keeper, clock, log, quietMs: config.packMs, isBusy: () => false }),
    new WorkspaceSweeper({ database, workspaces, clock, log }),
  ];
}
