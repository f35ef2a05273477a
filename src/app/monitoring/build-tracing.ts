import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import type { Config } from '../../config/config.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';

/** The receiver is the operator's. */
const everywhere = ['0.0.0.0/0', '::/0'];

/** What exports traces; nothing, and nothing is loaded, without a receiver. */
export async function buildTracing(
  { config, clock, log, metrics }: Pick<Runtime, 'config' | 'clock' | 'log' | 'metrics'>,
  { database }: Pick<Stores, 'database'>,
): Promise<Service[]> {
  const { tracing, secrets } = config;
  if (tracing === null) return [];
  const { createTraceSender } = await import('../../work/tracing/trace-sender.ts');
  const { TraceWorker } = await import('../../work/tracing/trace-worker.ts');
  const { endpoint, resource, hasContent } = tracing;
  const httpClient = createSafeFetch({ allow: everywhere, clock });
  const sender = createTraceSender({ endpoint, headers: secrets.otlpHeaders, httpClient, clock });
  return [new TraceWorker({ database, clock, log, metrics, sender, resource, hasContent })];
}

/** Whether tasks are exported as traces. */
export function isTraced({ tracing }: Pick<Config, 'tracing'>): boolean {
  return tracing !== null;
}
