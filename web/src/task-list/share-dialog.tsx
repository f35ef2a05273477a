import type { Task } from '@errand/client';
import { Globe, Lock, Users } from 'lucide-react';
import { useShareTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { inputClasses } from '../ui/field.tsx';
import { showError } from '../ui/toast.tsx';
import type { TaskDialogProps } from './rename-dialog.tsx';

type Visibility = Task['share_visibility'];

const icons = { private: Lock, team: Users, public: Globe };

function Choice({ task, visibility, onChoose }: { task: Task; visibility: Visibility; onChoose(): void }) {
  const { taskList } = useText();
  const Icon = icons[visibility];
  const isChosen = task.share_visibility === visibility;
  return (
    <label
      className={joinClasses(
        'flex cursor-pointer items-start gap-3 rounded-md border p-3 has-focus-visible:outline-2 has-focus-visible:outline-focus',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
      )}
    >
      <input type="radio" name={`share-${task.id}`} className="sr-only" checked={isChosen} onChange={onChoose} />
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="block text-sm font-medium">{taskList.visibility[visibility]}</span>
        <span className="block text-sm text-soft">{taskList.visibilityHint[visibility]}</span>
      </span>
    </label>
  );
}

/** Who may see a task, and the link for them. */
export function ShareDialog({ task, isOpen, onClose }: TaskDialogProps) {
  const { taskList } = useText();
  const share = useShareTask();
  const choose = (visibility: Visibility) => share.mutate({ taskId: task.id, visibility }, { onError: showError });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={taskList.share} lead={task.title}>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{taskList.whoMaySee}</legend>
        {(['private', 'team', 'public'] as const).map((visibility) => (
          <Choice key={visibility} task={task} visibility={visibility} onChoose={() => choose(visibility)} />
        ))}
      </fieldset>
      {task.share_visibility !== 'private' && task.share_url !== undefined && (
        <div className="mt-4 flex items-center gap-2">
          <input
            readOnly
            aria-label={taskList.shareLink}
            value={task.share_url}
            className={inputClasses}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={task.share_url} isLabelled className="shrink-0" />
        </div>
      )}
    </Dialog>
  );
}
