import type { Clock } from '@errand/base/clock.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { Config } from '../config/config.ts';
import type { Models } from '../models/model-registry.ts';

/** How long running requests, steps and attempts may take when the service stops. */
export const drainMs = 8000;

/** Shared dependencies of all parts of a process. None has to be closed. */
export interface Runtime {
  config: Config;
  models: Models;
  clock: Clock;
  log: Log;
  chance(): number;
  gauge: LoadGauge;
  metrics: Metrics;
}
