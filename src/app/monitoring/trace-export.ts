import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Config } from '../../config/config.ts';
import type { TracingSettings } from '../../config/tracing-settings.ts';
import { wrapSpans } from '../../rules/tracing/otlp-json.ts';
import type { Database } from '../../store/db/database.ts';
import { createTraceSender, type TraceSender } from '../../work/tracing/trace-sender.ts';
import { TraceWorker } from '../../work/tracing/trace-worker.ts';

/** The receiver is the operator's, so it may be a private address. */
const everywhere = ['0.0.0.0/0', '::/0'];

/** The sender to the receiver of traces. */
export function openTraceSender(
  { endpoint }: TracingSettings,
  { otlpHeaders: headers }: Config['secrets'],
  clock: Clock,
): TraceSender {
  return createTraceSender({ endpoint, headers, httpClient: createSafeFetch({ allow: everywhere, clock }), clock });
}

export interface TraceWorkerSettings extends Pick<Config, 'secrets'> {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  tracing: TracingSettings;
}

/** The worker that exports traces of tasks. */
export function createTraceWorker({ tracing, secrets, ...parts }: TraceWorkerSettings): TraceWorker {
  const { resource, hasContent } = tracing;
  return new TraceWorker({ ...parts, sender: openTraceSender(tracing, secrets, parts.clock), resource, hasContent });
}

/** A request of the OpenTelemetry protocol with these spans. */
export function wrapTrace(spans: readonly object[], { tracing }: Pick<Config, 'tracing'>): object {
  return wrapSpans(spans, tracing?.resource ?? { 'service.name': 'errand' });
}
