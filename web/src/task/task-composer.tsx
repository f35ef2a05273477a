import type { Ref } from 'react';
import { Composer } from '../composer/composer.tsx';
import type { OutgoingMessage } from '../composer/outgoing-message.ts';
import { useText } from '../text/locale.ts';
import type { TaskStatus } from './conversation/row.ts';

interface TaskComposerProps {
  taskId: string;
  status: TaskStatus;
  onSend(message: OutgoingMessage): void;
  ref: Ref<HTMLTextAreaElement>;
}

/** The composer for replies to a task. A sent message appears in the conversation immediately. */
export function TaskComposer({ taskId, status, onSend, ref }: TaskComposerProps) {
  const { task } = useText();
  const placeholders = {
    running: task.composerFollow,
    waiting: task.composerAnswer,
    stopped: task.composerStopped,
    error: task.composerStopped,
  };
  const send = (message: OutgoingMessage) => {
    onSend(message);
    return Promise.resolve();
  };
  return <Composer label={task.composer} placeholder={placeholders[status]} draftKey={taskId} onSend={send} ref={ref} />;
}
