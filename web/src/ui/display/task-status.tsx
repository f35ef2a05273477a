import type { Task } from '@errand/client';
import { CircleAlert, CircleCheck, LoaderCircle, MessageCircleQuestion } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { Badge, StatusDot, type Tone } from './badge.tsx';
import { joinClasses } from './class-names.ts';

const tones: Record<Task['status'], Tone> = { running: 'good', waiting: 'warn', stopped: 'plain', error: 'bad' };

/** The status of a task as a dot, for lists. */
export function TaskStatusDot({ status }: { status: Task['status'] }) {
  const { ui } = useText();
  return <StatusDot tone={tones[status]} label={ui.taskStatus[status]} isBusy={status === 'running'} />;
}

const icons = {
  running: [LoaderCircle, 'spin text-accent'],
  waiting: [MessageCircleQuestion, 'text-warn'],
  stopped: [CircleCheck, 'text-edge'],
  error: [CircleAlert, 'text-bad'],
} as const;

/** The status of a task as an icon, next to text that also states it. */
export function TaskStatusIcon({ status, className }: { status: Task['status']; className?: string }) {
  const [Icon, look] = icons[status];
  return <Icon aria-hidden className={joinClasses('size-4.5 shrink-0', look, className)} />;
}

const wordColors: Record<Tone, string> = { plain: '', good: 'text-accent', warn: 'text-warn', bad: 'text-bad' };

/** The status of a task as colored text. */
export function TaskStatusWord({ status }: { status: Task['status'] }) {
  const { ui } = useText();
  return <span className={joinClasses('font-medium', wordColors[tones[status]])}>{ui.taskStatus[status]}</span>;
}

/** The status of a task as a badge. */
export function TaskStatusBadge({ status }: { status: Task['status'] }) {
  const { ui } = useText();
  return <Badge tone={tones[status]}>{ui.taskStatus[status]}</Badge>;
}
