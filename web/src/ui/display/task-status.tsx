import type { Task } from '@errand/client';
import { CircleAlert, CircleCheck, CircleStop, LoaderCircle, MessageCircleQuestion } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { Badge, StatusDot, type Tone } from './badge.tsx';
import { joinClasses } from './class-names.ts';

/** What tells how a task is. */
type Standing = Pick<Task, 'status' | 'stopped_by'>;
type Shown = Task['status'] | 'stoppedByUser';

const tones: Record<Shown, Tone> = { running: 'good', waiting: 'warn', stopped: 'plain', stoppedByUser: 'plain', error: 'bad' };

/** The key of its texts: a task that its user stopped is not done. */
export function shownStatus({ status, stopped_by }: Standing): Shown {
  return status === 'stopped' && stopped_by === 'user' ? 'stoppedByUser' : status;
}

/** The status of a task as a dot, for lists. */
export function TaskStatusDot({ task }: { task: Standing }) {
  const { ui } = useText();
  const status = shownStatus(task);
  return <StatusDot tone={tones[status]} label={ui.taskStatus[status]} isBusy={status === 'running'} />;
}

const icons = {
  running: [LoaderCircle, 'spin text-accent'],
  waiting: [MessageCircleQuestion, 'text-warn'],
  stopped: [CircleCheck, 'text-edge'],
  stoppedByUser: [CircleStop, 'text-edge'],
  error: [CircleAlert, 'text-bad'],
} as const;

/** The status of a task as an icon, next to text that also states it. */
export function TaskStatusIcon({ task, className }: { task: Standing; className?: string }) {
  const [Icon, look] = icons[shownStatus(task)];
  return <Icon aria-hidden className={joinClasses('size-4.5 shrink-0', look, className)} />;
}

const wordColors: Record<Tone, string> = { plain: '', good: 'text-accent', warn: 'text-warn', bad: 'text-bad' };

/** The status of a task as colored text. */
export function TaskStatusWord({ task }: { task: Standing }) {
  const { ui } = useText();
  const status = shownStatus(task);
  return <span className={joinClasses('font-medium', wordColors[tones[status]])}>{ui.taskStatus[status]}</span>;
}

/** The status of a task as a badge. */
export function TaskStatusBadge({ task }: { task: Standing }) {
  const { ui } = useText();
  const status = shownStatus(task);
  return <Badge tone={tones[status]}>{ui.taskStatus[status]}</Badge>;
}
