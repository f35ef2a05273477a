import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { healthQuery, type InstanceHealth, workersQuery } from '../../api/instance-queries.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Card, Section } from '../../ui/display/card.tsx';
import { Skeleton } from '../../ui/display/skeleton.tsx';
import { useNow } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { listFindings } from './health-findings.ts';

function Findings({ sentences }: { sentences: readonly string[] }) {
  const { instance } = useText();
  if (sentences.length === 0) {
    return (
      <p className="flex items-center gap-2 font-medium text-accent">
        <CircleCheck aria-hidden className="size-4.5 shrink-0" />
        {instance.isWell}
      </p>
    );
  }
  return (
    <ul className="flex flex-col gap-2">
      {sentences.map((sentence) => (
        <li key={sentence} className="flex gap-2 text-warn">
          <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{sentence}</span>
        </li>
      ))}
    </ul>
  );
}

function Figures({ health }: { health: InstanceHealth }) {
  const { instance } = useText();
  const format = useFormat();
  const wait = (seconds: number) => (seconds < 1 ? instance.nobodyWaits : format.duration(seconds * 1000));
  const figures = [
    [instance.runningTasks, format.number(health.running_tasks)],
    [instance.taskWait, wait(health.task_queue_age_seconds)],
    [instance.deliveryWait, wait(health.delivery_queue_age_seconds)],
    [instance.database, instance.databaseAnswers(format.milliseconds(Math.max(1, health.database_ms)))],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="mt-0.5 text-base font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether the instance keeps up with its work, and what does not go well. */
export function HealthSummary() {
  const text = useText();
  const format = useFormat();
  const now = useNow();
  const health = useQuery(healthQuery);
  const workers = useQuery(workersQuery);
  const isLoaded = health.data !== undefined && workers.data !== undefined;
  return (
    <Section title={text.instance.health}>
      {health.error && <ErrorState error={health.error} onRetry={health.refetch} />}
      {!health.error && (
        <Card className="flex min-h-80 flex-col gap-5 sm:min-h-48 lg:min-h-36">
          {isLoaded ? (
            <>
              <div role="status">
                <Findings sentences={listFindings(health.data, workers.data, text, format, now)} />
              </div>
              <Figures health={health.data} />
            </>
          ) : (
            <Skeleton className="h-24" />
          )}
        </Card>
      )}
    </Section>
  );
}
