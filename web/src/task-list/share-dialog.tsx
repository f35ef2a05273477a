import type { Task } from '@errand/client';
import { Globe, Lock, Users } from 'lucide-react';
import { useId } from 'react';
import { useSession } from '../api/session.ts';
import { useShareTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { inputClasses } from '../ui/controls/field.tsx';
import { showError, showToast } from '../ui/feedback/toast.tsx';
import type { TaskDialogProps } from './rename-task-dialog.tsx';

type Visibility = Task['share_visibility'];

const icons = { private: Lock, team: Users, public: Globe };

interface ChoiceProps {
  visibility: Visibility;
  isChosen: boolean;
  isBusy: boolean;
  name: string;
  onChoose(visibility: Visibility): void;
}

function Choice({ visibility, isChosen, isBusy, name, onChoose }: ChoiceProps) {
  const { taskList } = useText();
  const Icon = icons[visibility];
  return (
    <label
      className={joinClasses(
        'flex cursor-pointer items-center gap-3 rounded-md border px-3.5 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-focus',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name={name}
        className="sr-only"
        checked={isChosen}
        disabled={isBusy}
        onChange={() => onChoose(visibility)}
      />
      <Icon aria-hidden className={joinClasses('size-4.5 shrink-0', isChosen ? 'text-accent' : 'text-soft')} />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{taskList.visibility[visibility]}</span>
        <span className="block text-sm text-soft">{taskList.visibilityHint[visibility]}</span>
      </span>
    </label>
  );
}

function ShareLink({ url }: { url: string }) {
  const { taskList } = useText();
  const id = useId();
  return (
    <div className="mt-4">
      <label htmlFor={id} className="text-sm font-medium">
        {taskList.shareLink}
      </label>
      <div className="mt-1.5 flex gap-2">
        <input
          id={id}
          readOnly
          value={url}
          className={joinClasses(inputClasses, 'min-w-0 text-sm')}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={url} label={taskList.copyLink} isLabelled className="min-h-9.5" />
      </div>
    </div>
  );
}

/** Sets who else can see a task, and shows the link. */
export function ShareDialog({ task, isOpen, onClose }: TaskDialogProps) {
  const { taskList } = useText();
  const team = useSession().data?.team ?? null;
  const share = useShareTask();
  const isBusy = share.isPending;
  const name = useId();
  const visibility = task.share_visibility;
  const offered: readonly Visibility[] = team || visibility === 'team' ? ['private', 'team', 'public'] : ['private', 'public'];
  const choose = (chosen: Visibility) => {
    const onSuccess = () => showToast(chosen === 'private' ? taskList.revoked : taskList.shared);
    share.mutate({ taskId: task.id, visibility: chosen }, { onSuccess, onError: showError });
  };
  const revoke = visibility !== 'private' && (
    <Button look="danger" isBusy={isBusy} onClick={() => choose('private')}>
      {taskList.revoke}
    </Button>
  );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={taskList.shareTitle}
      lead={taskList.shareLead}
      {...(revoke && { actions: revoke })}
    >
      <fieldset>
        <legend className="sr-only">{taskList.whoMaySee}</legend>
        <div className="flex flex-col gap-2">
          {offered.map((one) => (
            <Choice key={one} name={name} visibility={one} isChosen={one === visibility} isBusy={isBusy} onChoose={choose} />
          ))}
        </div>
      </fieldset>
      {task.share_url !== undefined && visibility !== 'private' && !isBusy && <ShareLink url={task.share_url} />}
    </Dialog>
  );
}
