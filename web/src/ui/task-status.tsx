import type { Task } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Badge, StatusDot, type Tone } from './badge.tsx';

const tones: Record<Task['status'], Tone> = { running: 'good', waiting: 'warn', stopped: 'plain', error: 'bad' };

/** What a task does now, as a dot for lists. */
export function TaskStatusDot({ status }: { status: Task['status'] }) {
  const { ui } = useText();
  return <StatusDot tone={tones[status]} label={ui.taskStatus[status]} isBusy={status === 'running'} />;
}

/** What a task does now, in a word. */
export function TaskStatusBadge({ status }: { status: Task['status'] }) {
  const { ui } = useText();
  return <Badge tone={tones[status]}>{ui.taskStatus[status]}</Badge>;
}
