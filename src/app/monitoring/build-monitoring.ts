import type { Service } from '@errand/base/service-lifecycle.ts';
import { type JobState, Worker } from '@errand/base/worker.ts';
import { buildMonitoringServer, type MonitoringServer } from '../../http/service/http-service.ts';
import { profiles } from '../../rules/instance/model-profile.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';
import { createFolderProof } from './folder-proof.ts';

/** The names of the models by profile, for people. */
export function nameModels({ models }: Pick<Runtime, 'models'>): Record<string, string> {
  return Object.fromEntries(profiles.map((profile) => [profile, models.current.get(profile).name]));
}

/** The server for monitoring of a process without a public server; null if it has no port. */
export function buildMonitoring(runtime: Runtime, { database }: Stores): MonitoringServer | null {
  const { config, clock, log, gauge, metrics } = runtime;
  const { host, monitoringPort: port } = config;
  if (port === null) return null;
  const shared = { database, clock, log, gauge, metrics, host, port };
  const proveFiles = createFolderProof(config.dataDir);
  return buildMonitoringServer({ ...shared, proveFiles, activeModels: () => nameModels(runtime) });
}

/** What the background jobs among these services last did. */
export function listJobs(services: readonly Service[]): JobState[] {
  return services.flatMap((service) => (service instanceof Worker ? [service.state] : []));
}

/** Tells monitoring for how long the longest-failing background job of the process has been failing. */
export function showJobs({ metrics, clock }: Pick<Runtime, 'metrics' | 'clock'>, readJobs: () => readonly JobState[]): void {
  const about = 'For how long the longest-failing background job has been failing.';
  metrics.addGauge('errand_job_failing_seconds', about, () => {
    const now = clock.now();
    return Math.max(0, ...readJobs().map(({ failingSinceMs }) => (failingSinceMs === null ? 0 : (now - failingSinceMs) / 1000)));
  });
}
