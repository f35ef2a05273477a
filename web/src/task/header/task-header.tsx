import type { Task } from '@errand/client';
import { Globe, PanelRight, Share2, Users } from 'lucide-react';
import { useState } from 'react';
import { ShareDialog } from '../../task-list/share-dialog.tsx';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TaskStatusBadge } from '../../ui/display/task-status.tsx';
import { AssigneeBadge } from './assignee-badge.tsx';
import { TaskActionsMenu, type TaskActionsProps } from './task-actions-menu.tsx';
import { TaskTitle } from './task-title.tsx';

function SharedBadge({ visibility }: { visibility: Task['share_visibility'] }) {
  const { task } = useText();
  if (visibility === 'private') return null;
  const Icon = visibility === 'team' ? Users : Globe;
  return (
    <Badge>
      <Icon aria-hidden className="size-3.5" />
      <span className="@max-xl:sr-only">{task.sharedBadge[visibility]}</span>
    </Badge>
  );
}

function ShareButton({ task: shown }: { task: Task }) {
  const { task } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" look="quiet" className="max-sm:hidden" onClick={() => setOpen(true)}>
        <Share2 aria-hidden className="size-4" />
        <span className="@max-xl:sr-only">{task.share}</span>
      </Button>
      <ShareDialog task={shown} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

export interface TaskHeaderProps extends Omit<TaskActionsProps, 'onRename'> {
  taskId: string;
  task: Task | undefined;
  status: Task['status'];
  bench: { isOpen: boolean; toggle(): void };
}

/** The title of a task, its status, and its actions. */
export function TaskHeader(props: TaskHeaderProps) {
  const { taskId, task: shown, status, bench, ...actions } = props;
  const { workbench } = useText();
  const [isEditing, setEditing] = useState(false);
  const { isOwner } = actions;
  return (
    <header className="@container flex min-h-13 shrink-0 items-center gap-2 border-b border-line py-1.5 pr-2 pl-2 sm:pl-4 print:[&>button]:hidden">
      <div className="min-w-0 flex-1">
        <TaskTitle
          taskId={taskId}
          title={shown?.title}
          isEditing={isEditing && isOwner}
          setEditing={isOwner ? setEditing : null}
        />
      </div>
      {shown?.assignee !== undefined && <AssigneeBadge taskId={shown.id} assignee={shown.assignee} />}
      {shown && <SharedBadge visibility={shown.share_visibility} />}
      <span className="max-sm:hidden">
        <TaskStatusBadge task={{ ...shown, status }} />
      </span>
      {shown && isOwner && <ShareButton task={shown} />}
      <IconButton
        label={bench.isOpen ? workbench.hide : workbench.show}
        aria-expanded={bench.isOpen}
        icon={<PanelRight aria-hidden />}
        onClick={bench.toggle}
      />
      {shown && <TaskActionsMenu task={{ ...shown, status }} onRename={() => setEditing(true)} {...actions} />}
    </header>
  );
}
