import type { Schedule, ScheduleDetail } from '@errand/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { projectsQuery } from '../api/account-facts.ts';
import { errand, isNotFound } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { FactList } from '../automation/fact-list.tsx';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { BackLink } from '../ui/display/back-link.tsx';
import { Section } from '../ui/display/card.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { MissingItem } from '../ui/feedback/missing-page.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { NextTimes } from './next-times.tsx';
import { RunHistory } from './run-history.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleSwitch } from './schedule-switch.tsx';
import { useTimingWords } from './use-timing-words.ts';

const refreshMs = 15_000;

function Actions({ schedule }: { schedule: Schedule }) {
  const { schedules, ui } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const { id, name } = schedule;
  const run = useAction(() => errand.schedule.runNow({ schedule_id: id }), {
    changes: [keys.schedules],
    onDone: () => showToast(schedules.started),
  });
  const remove = async () => {
    await errand.schedule.delete({ schedule_id: id });
    showToast(schedules.deleted);
    // Only after leaving: here it would be missing.
    void navigate({ to: '/schedules' }).then(() => client.invalidateQueries({ queryKey: keys.schedules }));
  };
  return (
    <>
      <Button isBusy={run.isPending} onClick={() => run.mutate(undefined)}>
        <Play aria-hidden className="size-4" />
        {schedules.runNow}
      </Button>
      <Button onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" />
        {schedules.edit}
      </Button>
      <Button look="danger" onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
        {ui.delete}
      </Button>
      {open === 'edit' && <ScheduleDialog schedule={schedule} onClose={() => setOpen(null)} />}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={() => setOpen(null)}
        title={schedules.deleteTitle(name)}
        confirmLabel={ui.delete}
        isDangerous
        onConfirm={remove}
      >
        {schedules.deleteBody}
      </ConfirmDialog>
    </>
  );
}

function Facts({ schedule }: { schedule: Schedule }) {
  const { home, schedules } = useText();
  const projects = useQuery(projectsQuery).data;
  const { message, conversation, overlap, catch_up: catchUp, project_id: projectId } = schedule;
  const project = projectId === undefined ? null : (projects?.find(({ id }) => id === projectId)?.name ?? projectId);
  const facts = [
    [schedules.message, message.content],
    [schedules.conversation, schedules.conversations[conversation]],
    [schedules.overlap, schedules.overlaps[overlap]],
    [schedules.catchUp, schedules.catchUps[catchUp]],
    ...(project === null ? [] : [[home.project, project] as const]),
  ] as const;
  return <FactList facts={facts} />;
}

function Detail({ schedule }: { schedule: ScheduleDetail }) {
  const { schedules } = useText();
  const describe = useTimingWords();
  const { id, name, status, next_runs: times, time_zone: zone } = schedule;
  return (
    <>
      <BackLink to="/schedules">{schedules.title}</BackLink>
      <PageHeader title={name} lead={describe(schedule)} actions={<Actions schedule={schedule} />} />
      <div className="mb-8">
        <ScheduleSwitch schedule={schedule} />
      </div>
      <Section title={schedules.preview}>
        {times.length === 0 ? (
          <p className="text-sm text-soft">{status === 'paused' ? schedules.noNextPaused : schedules.noNext}</p>
        ) : (
          <NextTimes label={schedules.preview} times={times} zone={zone} />
        )}
      </Section>
      <Section title={schedules.settings}>
        <Facts schedule={schedule} />
      </Section>
      <RunHistory scheduleId={id} zone={zone} />
    </>
  );
}

/** One schedule: its next runs, settings, and history. */
export function SchedulePage() {
  const { schedules } = useText();
  const { scheduleId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: keys.schedule(scheduleId),
    queryFn: async ({ signal }) => (await errand.schedule.detail({ schedule_id: scheduleId }, { signal })).schedule,
    refetchInterval: ({ state }) => (state.error === null ? refreshMs : false),
  });
  return (
    <Page>
      {isNotFound(error) && <MissingItem to="/schedules" list={schedules.title} />}
      {error && !isNotFound(error) && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={3} className="h-24" />}
      {data && !isNotFound(error) && <Detail schedule={data} />}
    </Page>
  );
}
