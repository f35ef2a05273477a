import type { Clock } from '@errand/base/clock.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { Config } from '../config/config.ts';
import type { Models } from '../models/model-registry.ts';

/** How long requests, steps and attempts under way may take to end when the service stops. */
export const drainMs = 8000;

/** What every part of a process may use. It holds nothing that has to be closed. */
export interface Runtime {
  config: Config;
  models: Models;
  clock: Clock;
  log: Log;
  chance(): number;
  gauge: LoadGauge;
  metrics: Metrics;
}
