import type { ScheduleRun } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { type Cost, useCost } from '../task-list/use-cost.ts';
import { type Format, useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import type { Texts } from '../text/en.ts';
import { Section } from '../ui/display/card.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

const pageSize = 30;
const refreshMs = 15_000;

function listColumns(text: Texts['schedules'], format: Format, cost: Cost, zone: string) {
  return [
    { key: 'due', title: text.due, render: ({ due_at: at }: ScheduleRun) => format.zoned(at * 1000, zone) },
    {
      key: 'outcome',
      title: text.outcome,
      render: ({ outcome, reason }: ScheduleRun) => (
        <>
          <RunOutcome outcome={outcome} />
          {reason !== undefined && <p className="mt-1 text-soft">{reason}</p>}
        </>
      ),
    },
    {
      key: 'cost',
      title: text.cost,
      kind: 'number' as const,
      render: ({ credit_usage: credits, task_id: taskId }: ScheduleRun) => taskId !== undefined && cost.ofReply(credits),
    },
    {
      key: 'task',
      title: text.task,
      kind: 'short' as const,
      render: ({ task_id: taskId, due_at: at }: ScheduleRun) =>
        taskId !== undefined && (
          <Link
            to="/app/$taskId"
            params={{ taskId }}
            className={linkClasses}
            aria-label={`${text.openTask}: ${format.zoned(at * 1000, zone)}`}
          >
            {text.openTask}
          </Link>
        ),
    },
  ];
}

/** The runs of a schedule, newest first. */
export function RunHistory({ scheduleId, zone }: { scheduleId: string; zone: string }) {
  const { schedules } = useText();
  const format = useFormat();
  const pages = usePages<ScheduleRun>([...keys.schedule(scheduleId), 'runs'], {
    fetchPage: (cursor, signal) =>
      errand.schedule.runs({ schedule_id: scheduleId, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <Section title={schedules.history}>
      <PagedTable
        pages={pages}
        empty={
          <EmptyState icon={<History aria-hidden />} title={schedules.noHistory}>
            {schedules.noHistoryBody}
          </EmptyState>
        }
        caption={schedules.history}
        columns={listColumns(schedules, format, useCost(), zone)}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}
