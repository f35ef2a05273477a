import type { Clock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Config } from '../../config/config.ts';
import { wrapSpans } from '../../rules/tracing/otlp-json.ts';
import { createTraceSender, type TraceSender } from '../../work/tracing/trace-sender.ts';

/** The receiver is the operator's. */
const everywhere = ['0.0.0.0/0', '::/0'];

/** What sends to the receiver of the configuration; null without one. */
export function openTraceSender({ tracing, secrets }: Pick<Config, 'tracing' | 'secrets'>, clock: Clock): TraceSender | null {
  if (tracing === null) return null;
  const httpClient = createSafeFetch({ allow: everywhere, clock });
  return createTraceSender({ endpoint: tracing.endpoint, headers: secrets.otlpHeaders, httpClient, clock });
}

/** A request of the OpenTelemetry protocol with these spans. */
export function wrapTrace(spans: readonly object[], { tracing }: Pick<Config, 'tracing'>): object {
  return wrapSpans(spans, tracing?.resource ?? { 'service.name': 'errand' });
}
