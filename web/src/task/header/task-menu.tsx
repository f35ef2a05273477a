import { ChevronsDownUp, ChevronsUpDown, Download, Ellipsis, Pencil, Share, SquareTerminal, Trash2 } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';

export interface TaskMenuProps {
  isAllOpen: boolean;
  canDownload: boolean;
  onRename(): void;
  onShare(): void;
  onToggleTools(): void;
  onDownload(): void;
  onCurl(): void;
  onDelete(): void;
}

/** What else can be done with a task. */
export function TaskMenu({ isAllOpen, canDownload, ...on }: TaskMenuProps) {
  const { task } = useText();
  return (
    <Menu trigger={<IconButton label={task.menu} icon={<Ellipsis aria-hidden />} />}>
      <MenuItem icon={<Pencil />} onSelect={on.onRename}>
        {task.rename}
      </MenuItem>
      <MenuItem icon={<Share />} onSelect={on.onShare}>
        {task.share}
      </MenuItem>
      <MenuItem icon={isAllOpen ? <ChevronsDownUp /> : <ChevronsUpDown />} onSelect={on.onToggleTools}>
        {isAllOpen ? task.collapseTools : task.expandTools}
      </MenuItem>
      <MenuItem icon={<Download />} disabled={!canDownload} onSelect={on.onDownload}>
        {task.downloadAll}
      </MenuItem>
      <MenuItem icon={<SquareTerminal />} onSelect={on.onCurl}>
        {task.asCurl}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} isDangerous onSelect={on.onDelete}>
        {task.delete}
      </MenuItem>
    </Menu>
  );
}
