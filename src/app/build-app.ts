import { join } from 'node:path';
import { buildBridges } from './build-bridges.ts';
import { type Content, openContent } from './open-content.ts';
import { type CreditService, createCreditService } from '../api/contract/credit-service.ts';
import { openDatabase } from './open-database.ts';
import { bootstrap, prepareAllAgents } from './first-start.ts';
import { buildLibrary } from './build-library-worker.ts';
import { meterDatabase } from './metered-database.ts';
import { buildToolServices, type TaskToolServices } from './build-skills-and-connectors.ts';
import { buildPdfConversion } from './build-pdf-converter.ts';
import { createImagePreviewer } from './image-previewer.ts';
import { buildSsoParts } from './build-sso.ts';
import { buildStdio } from './build-stdio-connectors.ts';
import { buildTranscriber, mainModelOf } from './build-transcriber.ts';
import { buildTools } from './build-tools.ts';
import { buildWebhooks, type Webhooks } from './build-webhooks.ts';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { newId, randomFraction } from '@errand/base/ids.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import { Metrics } from '@errand/base/metrics.ts';
import { Passwords } from '@errand/base/secrets/passwords.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { createSafeFetch, type SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { createMutex, type Service, serviceGroup } from '@errand/base/service-lifecycle.ts';
import type { Config } from '../config/config.ts';
import { ratesOf } from '../config/rate-limit-settings.ts';
import {
  buildHttp,
  type HttpService,
  OwnRateLimiter,
  type RateLimiter,
  SharedRateLimiter,
} from '../http/service/http-service.ts';
import { type Models, openModels, profiles } from '../models/model-registry.ts';
import { createGenerators } from '@errand/documents/generators.ts';
import { createTokenSearch } from '../oauth/authorization-server/access-token-owner.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox.ts';
import type { SandboxAvailability } from '@errand/sandbox/sandbox.ts';
import { createWorkspaces, type Workspaces } from '@errand/sandbox/workspace/workspaces.ts';
import type { SsoParts } from '../sso/sso-parts.ts';
import { openBox } from '../store/instance/open-sealed-box.ts';
import type { Database } from '../store/db/database.ts';
import { nameInstance } from '../store/instance/instance-values.ts';
import { resultTools } from '../tools/deliverable-tools.ts';
import { createToolbox } from '../tools/toolbox/toolbox.ts';
import { leaseTiming } from '../work/tasks/lease-keeper.ts';
import type { PdfConversionService } from '../work/artifacts/pdf-conversion-service.ts';
import { createSubtaskService } from '../work/tasks/subtask-service.ts';
import { Sweeper } from '../work/instance/sweeper.ts';
import { WorkspaceKeeper } from '../work/tasks/workspace-keeper.ts';
import { TaskWorker } from '../work/tasks/task-worker.ts';

export type Role = 'all' | 'api' | 'worker';

/** What tests replace; everything else is built from the configuration. */
export interface Overrides {
  clock: Clock;
  log: Log;
  models: Models;
  chance: () => number;
}

/** A running errand. `stop` drains it: requests and steps under way come to their end. */
export interface App extends Service {
  http: HttpService;
  models: Models;
  /** The key of the account that this start made, shown once; null on every later start. */
  firstApiKey: string | null;
}

const drainMs = 8000;

interface Parts {
  config: Config;
  database: Database;
  models: Models;
  workspaces: Workspaces;
  clock: Clock;
  log: Log;
  gauge: LoadGauge;
  metrics: Metrics;
  chance: () => number;
  webhooks: Webhooks;
  passwords: Passwords;
  availability: SandboxAvailability;
  content: Content;
  httpClient: SafeFetch;
  toolServices: TaskToolServices;
  credits: CreditService;
  pdfConversion: PdfConversionService;
  sso: SsoParts | null;
}

function buildWorkers(parts: Parts): Service[] {
  const database = meterDatabase(parts.database, parts.metrics);
  const { config, models, workspaces, clock, log, gauge, chance, webhooks, availability, content, toolServices, credits } = parts;
  const transcriber = buildTranscriber(config, mainModelOf(models), clock);
  if (availability.sandbox === null) log.info({ reason: availability.reason }, 'no sandbox: agents run no commands and no code');
  const modelFor = (profile: string) => models[profiles.find((known) => known === profile) ?? 'service-1.6'];
  // The folder of an embedded store belongs to this machine alone.
  const isAlone = config.secrets.databaseUrl === null;
  const keeper = isAlone ? null : new WorkspaceKeeper({ database, workspaces, blobs: content.blobs, clock, log });
  const worker = new TaskWorker({
    database,
    log,
    keeper,
    gauge,
    contentKey: content.contentKey && Buffer.from(content.contentKey).toString('base64'),
    workerId: newId(clock.now()),
    concurrency: config.workerConcurrency,
    timing: leaseTiming(config.leaseTtlMs),
    drainMs,
    ports: {
      modelFor,
      budget: config.taskBudget,
      workspaceOf: ({ accountId, taskId }) => workspaces.open(accountId, taskId),
      ...content.attachments,
      transcriber,
      showPicture: createImagePreviewer(createGenerators(clock), content.blobs),
      taskTools: toolServices.taskTools,
      toolbox: createToolbox(
        [...buildTools({ config, clock, database, availability, transcriber, log }), ...resultTools(content.blobs)],
        log,
      ),
      deltas: database.deltas,
      clock,
      subtasks: createSubtaskService({ database, clock, keeper, demandFor: credits.demandFor }),
      chance,
    },
  });
  const library = buildLibrary({ database, blobs: content.blobs, pdfConversion: parts.pdfConversion, availability, clock, log });
  return [worker, library, ...webhooks.workers, new Sweeper({ database, workspaces, blobs: content.blobs, clock, log })];
}

/** The embedded store belongs to this process alone, so what it counts is all there is. */
function openLimiter({ config, database, clock }: Parts): RateLimiter | null {
  const rates = ratesOf(config.rateLimits);
  if (rates === null) return null;
  const isAlone = config.secrets.databaseUrl === null;
  return isAlone ? new OwnRateLimiter(clock, rates) : new SharedRateLimiter(database, clock, rates);
}

function buildHttpService(parts: Parts): HttpService {
  const { config, database, models, workspaces, clock, log, gauge, metrics, webhooks, content, toolServices } = parts;
  const controlSocket = config.secrets.databaseUrl === null ? join(config.dataDir, 'control.sock') : null;
  const { host, port, publicUrl, contentPort, contentUrl, headerFamilies, trustedProxies } = config;
  return buildHttp({
    database,
    clock,
    log,
    gauge,
    metrics,
    deltas: database.deltas,
    settings: { host, port, publicUrl, contentPort, contentUrl, headerFamilies, trustedProxies, controlSocket },
    blobs: content.blobs,
    pdfConversion: parts.pdfConversion,
    contentKey: content.contentKey,
    httpClient: parts.httpClient,
    signIn: { acceptsPasswords: config.acceptsPasswords, sso: parts.sso, sessionMs: config.sessionMs },
    webhooks: webhooks.service,
    passwords: parts.passwords,
    limiter: openLimiter(parts),
    findTokenOwner: createTokenSearch(database, clock),
    credits: parts.credits,
    skills: toolServices.skillService,
    connectors: toolServices.connectorService,
    activeModels: () => Object.fromEntries(profiles.map((profile) => [profile, models[profile].name])),
    workspaceFiles: {
      list: (accountId, taskId) => workspaces.open(accountId, taskId).list('', 10_000),
      read: (accountId, taskId, path) => workspaces.open(accountId, taskId).read(path),
    },
  });
}

const noCommands: SandboxAvailability = { sandbox: null, reason: 'this process drives no tasks' };

/** Opens the store and builds the services that `role` needs. Nothing listens and nothing is claimed before `start`. */
export async function buildApp(config: Config, role: Role, overrides: Pick<Overrides, 'log'> & Partial<Overrides>): Promise<App> {
  const { clock = systemClock, chance = randomFraction, log } = overrides;
  const tryGuards = () => openSandbox({ clock, connect: createSafeConnect({ allow: config.outboundAllow, clock }) });
  const trying = role === 'api' ? noCommands : tryGuards();
  const models =
    overrides.models ?? (await openModels({ ...config.models, ...config.secrets.models, prices: config.prices }, { clock }));
  const database = await openDatabase(config, clock, log);
  const passwords = new Passwords();
  try {
    const firstApiKey = await bootstrap(database, passwords, config, clock.now());
    await prepareAllAgents(database, clock.now());
    const instanceId = await database.run(nameInstance, newId(clock.now()));
    const workspaces = createWorkspaces(join(config.dataDir, 'workspaces', instanceId));
    const { dataDir, outboundAllow: allow, acceptsHttpWebhooks: acceptsHttp, secrets } = config;
    const box = await openBox(database, { secret: secrets.encryptionKey, dataDir, isShared: secrets.databaseUrl !== null });
    const content = await openContent({ config, database, instanceId, box, clock, log });
    const httpClient = createSafeFetch({ allow, clock });
    const metrics = new Metrics();
    const webhooks = buildWebhooks({
      database: meterDatabase(database, metrics),
      box,
      httpClient,
      acceptsHttp,
      clock,
      log,
      chance,
      drainMs,
    });
    const availability = await trying;
    const gauge = new LoadGauge();
    const shared = { config, instanceId, clock, log };
    const stdio = buildStdio({ ...shared, sandbox: role === 'api' ? null : availability, openSandbox: tryGuards });
    const hasOpenings = allow.length > 0;
    const toolServices = buildToolServices({ database, clock, httpClient, box, hasOpenings, stdio: stdio.servers });
    const pdfConversion = buildPdfConversion({ ...shared, blobs: content.blobs, openSandbox: stdio.sandboxOf });
    const credits = createCreditService({ database, plans: config.creditPlans, isEnforced: config.credits === 'enforced' });
    const sso = buildSsoParts(config, httpClient, box, clock);
    const built = { sso, credits, pdfConversion, models, workspaces, webhooks, passwords, availability };
    const parts = { config, database, clock, log, gauge, metrics, chance, content, httpClient, toolServices, ...built };
    const http = buildHttpService(parts);
    const workers = role === 'api' ? [] : [...buildWorkers(parts), ...(await buildBridges({ ...parts, http }))];
    const members = role === 'worker' ? [pdfConversion, ...workers] : [pdfConversion, ...workers, http];
    const services = serviceGroup('errand', members);
    const takeTurn = createMutex();
    const close = async () => {
      // Side by side: requests in flight and steps under way have the same few seconds to end.
      const stopped = await Promise.allSettled(members.map((member) => member.stop()));
      // A worker has an HTTP service too, which only its bridges call.
      await http.stop();
      await stdio.close();
      await Promise.all([database.close(), availability.sandbox?.close()]);
      for (const member of stopped) if (member.status === 'rejected') throw member.reason;
    };
    const [start, stop] = [() => takeTurn(services.start), () => takeTurn(close)];
    return { name: services.name, start, stop, http, models, firstApiKey };
  } catch (error) {
    await Promise.all([database.close(), (await trying).sandbox?.close()]);
    throw error;
  }
}
