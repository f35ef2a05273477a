import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import type { Removal } from './use-removal.ts';

interface RemovalDialogProps<Item> extends Pick<ConfirmDialogProps, 'confirmLabel' | 'children'> {
  removal: Removal<Item>;
  titleOf(item: Item): string;
}

/** Asks for confirmation before a list item is removed. */
export function RemovalDialog<Item>({ removal, titleOf, ...dialog }: RemovalDialogProps<Item>) {
  const { item, cancel, confirm } = removal;
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={item !== null}
      onClose={cancel}
      title={item === null ? '' : titleOf(item)}
      isDangerous
      onConfirm={async () => item !== null && confirm(item)}
    />
  );
}
