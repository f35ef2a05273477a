import type { Schedule } from '@errand/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { NewButton } from '../ui/controls/new-button.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { Time, useNow } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { isNear } from './next-times.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleSwitch } from './schedule-switch.tsx';
import { useTimingWords } from './use-timing-words.ts';
import { PagedList } from '../ui/display/paged-list.tsx';

const pageSize = 50;
/** Runs start while the page is open. */
const refreshMs = 15_000;

function ScheduleRow({ schedule }: { schedule: Schedule }) {
  const { schedules } = useText();
  const format = useFormat();
  const now = useNow();
  const describe = useTimingWords();
  const { id, name, next_run_at: next, last_run_at: last, last_outcome: outcome, time_zone: zone } = schedule;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-4 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <Link to="/schedules/$scheduleId" params={{ scheduleId: id }} className={`font-medium wrap-anywhere ${linkClasses}`}>
          {name}
        </Link>
        <p className="mt-1 text-sm text-soft">
          {describe(schedule)}
          {schedule.cron !== null && ` · ${zone}`}
        </p>
        {next !== null && (
          <p className="mt-1 text-sm">
            {isNear(next, now)
              ? schedules.next(format.relative(next * 1000, now), format.zoned(next * 1000, zone))
              : schedules.nextAt(format.zoned(next * 1000, zone))}
          </p>
        )}
        {outcome !== null && (
          <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-soft">
            {schedules.lastRun}
            <RunOutcome outcome={outcome} />
            {last !== null && <Time ms={last * 1000} />}
          </p>
        )}
      </div>
      <ScheduleSwitch schedule={schedule} />
    </li>
  );
}

function ScheduleList() {
  const { schedules } = useText();
  const pages = usePages<Schedule>([...keys.schedules, 'list'], {
    fetchPage: (cursor, signal) => errand.schedule.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <PagedList
      pages={pages}
      skeleton={{ rows: 3, className: 'h-24' }}
      empty={
        <EmptyState icon={<CalendarClock aria-hidden />} title={schedules.emptyTitle}>
          {schedules.emptyBody}
        </EmptyState>
      }
    >
      {(items) => (
        <ul aria-label={schedules.title}>
          {items.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

/** The schedules of the account, with their next and last runs. */
export function SchedulesPage() {
  const { schedules } = useText();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const show = ({ id }: Schedule) => void navigate({ to: '/schedules/$scheduleId', params: { scheduleId: id } });
  return (
    <Page>
      <PageHeader
        title={schedules.title}
        lead={schedules.lead}
        actions={<NewButton label={schedules.new} onClick={() => setOpen(true)} />}
      />
      <ScheduleList />
      {isOpen && <ScheduleDialog schedule={null} onClose={() => setOpen(false)} onSaved={show} />}
    </Page>
  );
}
