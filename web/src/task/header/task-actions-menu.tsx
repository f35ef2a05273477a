import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsDownUp, ChevronsUpDown, CookingPot, Download, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { TaskMenu } from '../../task-list/task-menu.tsx';
import { useText } from '../../text/locale.ts';
import { MenuItem } from '../../ui/controls/menu.tsx';
import { CurlDialog } from './curl-dialog.tsx';
import { useHandOverItems } from './hand-over-items.tsx';

export interface TaskActionsProps {
  isOwner: boolean;
  isAllOpen: boolean;
  canDownload: boolean;
  onRename(): void;
  onToggleTools(): void;
  onDownload(): void;
}

/** The menu on a task's own page: that of lists, and actions for the conversation. */
export function TaskActionsMenu({ task: shown, isOwner, isAllOpen, canDownload, ...on }: TaskActionsProps & { task: Task }) {
  const { task } = useText();
  const navigate = useNavigate();
  const [isCurlOpen, setCurlOpen] = useState(false);
  const handOver = useHandOverItems(shown, isOwner);
  return (
    <>
      <TaskMenu
        task={shown}
        label={task.menu}
        isOwn={isOwner}
        onRename={on.onRename}
        onDeleted={() => void navigate({ to: '/' })}
      >
        <MenuItem icon={isAllOpen ? <ChevronsDownUp /> : <ChevronsUpDown />} onSelect={on.onToggleTools}>
          {isAllOpen ? task.collapseTools : task.expandTools}
        </MenuItem>
        <MenuItem icon={<Download />} disabled={!canDownload} onSelect={on.onDownload}>
          {task.downloadAll}
        </MenuItem>
        {handOver.items}
        {isOwner && (
          <MenuItem icon={<CookingPot />} onSelect={() => void navigate({ to: '/recipes', search: { from: shown.id } })}>
            {task.saveAsRecipe}
          </MenuItem>
        )}
        {isOwner && (
          <MenuItem icon={<SquareTerminal />} onSelect={() => setCurlOpen(true)}>
            {task.asCurl}
          </MenuItem>
        )}
      </TaskMenu>
      {handOver.dialog}
      {isCurlOpen && <CurlDialog taskId={shown.id} onClose={() => setCurlOpen(false)} />}
    </>
  );
}
