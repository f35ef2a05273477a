import { type Clock, systemClock } from '@errand/base/clock.ts';
import { randomFraction } from '@errand/base/ids.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import { Metrics } from '@errand/base/metrics.ts';
import { createMutex, type Service, serviceGroup } from '@errand/base/service-lifecycle.ts';
import type { Config } from '../config/config.ts';
import type { HttpService, MonitoringServer } from '../http/service/http-service.ts';
import type { Models } from '../models/model-registry.ts';
import { buildBridges } from './channels/build-bridges.ts';
import { buildMail } from './channels/build-mail.ts';
import { buildNotifications } from './channels/build-notifications.ts';
import { buildMonitoring, listJobs, showJobs } from './monitoring/build-monitoring.ts';
import { buildServers } from './build-servers.ts';
import { buildServices } from './build-services.ts';
import { buildWatchWorkers } from './build-watch-workers.ts';
import { buildFolderWorkers, buildWorkers } from './build-workers.ts';
import { followSettings, openEnvironmentModels, replaceModels } from './models/build-models.ts';
import { openStores, type Stores } from './open-stores.ts';
import { createProcessSandbox, type ProcessSandbox } from './process-sandbox.ts';
import { type Runtime, transitBytes } from './runtime.ts';

export type Role = 'all' | 'api' | 'worker';

/** Parts that tests replace; everything else is built from the configuration. */
export interface Overrides {
  clock: Clock;
  log: Log;
  models: Models;
  chance: () => number;
}

/** A running instance. `stop` drains it: running requests and steps finish. */
export interface App extends Service {
  http: HttpService;
  /** The monitoring server of a process without a public server; null if it has no port for that. */
  monitoring: MonitoringServer | null;
  /** The models with which the process started. */
  models: Models;
  /** The API key of the account created by this start, shown once; null on every later start. */
  firstApiKey: string | null;
}

async function assemble(runtime: Runtime, role: Role, stores: Stores, sandbox: ProcessSandbox): Promise<App> {
  const running: Service[] = [];
  const readJobs = () => listJobs(running);
  showJobs(runtime, readJobs);
  const services = buildServices(runtime, stores, sandbox);
  const http = buildServers(runtime, stores, services);
  const workers =
    role === 'api'
      ? buildFolderWorkers(runtime, stores)
      : [
          ...(await buildWorkers(runtime, stores, services, sandbox, http, readJobs)),
          ...(await buildWatchWorkers(runtime, stores, http)),
          ...(await buildBridges(runtime, stores, http)),
          ...(await buildNotifications(runtime, stores, services)),
        ];
  // On a port that processes share, nobody can tell which of them answers.
  const monitoring = role === 'worker' || runtime.config.sharesPorts ? buildMonitoring(runtime, stores) : null;
  const servers = role === 'worker' ? [] : [http, ...(await buildMail(runtime, stores, http))];
  running.push(services.pdfConversion, ...workers, ...servers, ...(monitoring ? [monitoring] : []));
  const group = serviceGroup('errand', running);
  const takeTurn = createMutex();
  const close = async () => {
    // In parallel: running requests and steps have the same few seconds to finish.
    const stopped = await Promise.allSettled(running.map((service) => service.stop()));
    // A worker process has servers too, used only by its bridges.
    await http.stop();
    await services.close();
    await Promise.all([stores.close(), sandbox.close()]);
    for (const end of stopped) if (end.status === 'rejected') throw end.reason;
  };
  const [start, stop] = [() => takeTurn(group.start), () => takeTurn(close)];
  return {
    name: group.name,
    start,
    stop,
    http,
    monitoring,
    models: runtime.models.current.all(),
    firstApiKey: stores.firstApiKey,
  };
}

/** Opens the stores and builds what `role` needs. Nothing listens and nothing is claimed before `start`. */
export async function buildApp(config: Config, role: Role, overrides: Pick<Overrides, 'log'> & Partial<Overrides>): Promise<App> {
  const { clock = systemClock, chance = randomFraction, log } = overrides;
  const metrics = new Metrics();
  const sandbox = createProcessSandbox({ config, clock, log, metrics });
  // Takes a while, in parallel with opening the stores. A process that drives no tasks opens it on demand.
  if (role !== 'api') void sandbox.open();
  const parts = { config, clock, log, metrics };
  const models = overrides.models ? replaceModels(overrides.models, parts) : await openEnvironmentModels(parts);
  const runtime: Runtime = {
    config,
    models,
    clock,
    log,
    chance,
    gauge: new LoadGauge(clock),
    metrics,
    memory: new FairGate({ capacity: transitBytes }),
  };
  try {
    const stores = await openStores(runtime);
    try {
      if (!overrides.models) await followSettings(models, stores);
      return await assemble(runtime, role, stores, sandbox);
    } catch (error) {
      await stores.close();
      throw error;
    }
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
