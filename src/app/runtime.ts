import type { Clock } from '@errand/base/clock.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { Config } from '../config/config.ts';
import type { ProcessModels } from './models/build-models.ts';

/** How much of what others send (request bodies, fetched files, responses) may be in memory at once; one account may use half. */
export const transitBytes = 512 * 1024 * 1024;

/** Shared dependencies of all parts of a process. None has to be closed. */
export interface Runtime {
  config: Config;
  models: ProcessModels;
  clock: Clock;
  log: Log;
  chance(): number;
  gauge: LoadGauge;
  metrics: Metrics;
  /** Memory for what others send, of `transitBytes`. */
  memory: FairGate;
}
