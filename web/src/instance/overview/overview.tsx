import { HealthSummary } from './health-summary.tsx';
import { Jobs } from './jobs.tsx';
import { Queues } from './queues.tsx';
import { Workers } from './workers.tsx';

/** Whether the instance keeps up, its workers, who waits, and what runs in the background. */
export function Overview() {
  return (
    <>
      <HealthSummary />
      <Workers />
      <Queues />
      <Jobs />
    </>
  );
}
