import type { ScheduleRun } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';

const tones = { started: 'good', skipped: 'warn', missed: 'warn', waiting: 'plain' } as const;

/** The outcome of a run, as a badge. */
export function RunOutcome({ outcome }: Pick<ScheduleRun, 'outcome'>) {
  const { schedules } = useText();
  const shown = outcome ?? 'waiting';
  return <Badge tone={tones[shown]}>{schedules.outcomes[shown]}</Badge>;
}
