import type { Service } from '@errand/base/service-lifecycle.ts';
import type { Config } from '../../config/config.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';

/** What exports traces; nothing, and nothing is loaded, without a receiver. */
export async function buildTracing(
  { config, clock, log, metrics }: Pick<Runtime, 'config' | 'clock' | 'log' | 'metrics'>,
  { database }: Pick<Stores, 'database'>,
): Promise<Service[]> {
  if (config.tracing === null) return [];
  const { openTraceSender } = await import('./trace-export.ts');
  const { TraceWorker } = await import('../../work/tracing/trace-worker.ts');
  const sender = openTraceSender(config, clock);
  const { resource, hasContent } = config.tracing;
  return sender === null ? [] : [new TraceWorker({ database, clock, log, metrics, sender, resource, hasContent })];
}

/** Whether tasks are exported as traces. */
export function isTraced({ tracing }: Pick<Config, 'tracing'>): boolean {
  return tracing !== null;
}
