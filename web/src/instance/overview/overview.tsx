import { HealthSummary } from './health-summary.tsx';
import { Queues } from './queues.tsx';
import { Workers } from './workers.tsx';

/** Whether the instance keeps up, its workers, and who waits. */
export function Overview() {
  return (
    <>
      <HealthSummary />
      <Workers />
      <Queues />
    </>
  );
}
