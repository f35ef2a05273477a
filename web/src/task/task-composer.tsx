import type { Ref } from 'react';
import { Composer } from '../composer/composer.tsx';
import type { OutgoingMessage } from '../composer/outgoing-message.ts';
import { useText } from '../text/locale.ts';
import type { TaskStatus } from './conversation/row.ts';

interface TaskComposerProps {
  taskId: string;
  status: TaskStatus;
  /** Whether it can be sent with files. */
  takesFiles: boolean;
  onSend(message: OutgoingMessage): void;
  ref: Ref<HTMLTextAreaElement>;
}

/** The composer for replies to a task. A sent message appears in the conversation immediately. */
export function TaskComposer({ taskId, status, takesFiles, onSend, ref }: TaskComposerProps) {
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
  const field = { label: task.composer, placeholder: placeholders[status], draftKey: taskId, takesFiles };
  return <Composer {...field} onSend={send} ref={ref} />;
}
