import type { Agent } from '@errand/client';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { useClearTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { showToast } from '../ui/feedback/toast.tsx';

/** Empties the conversation with the agent, once confirmed. */
export function ClearAgent({ agent, onCleared }: { agent: Agent; onCleared(): void }) {
  const { agent: text } = useText();
  const [isAsking, setAsking] = useState(false);
  const clear = useClearTask();
  const clearNow = async () => {
    await clear.mutateAsync(agent.task_id);
    showToast(text.cleared);
    onCleared();
  };
  return (
    <>
      <IconButton label={text.clear} icon={<Eraser aria-hidden />} onClick={() => setAsking(true)} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={text.clearTitle}
        confirmLabel={text.clearConfirm}
        isDangerous
        onConfirm={clearNow}
      >
        {text.clearBody}
      </ConfirmDialog>
    </>
  );
}
