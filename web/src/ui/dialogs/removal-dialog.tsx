import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

interface RemovalDialogProps<Item> extends Pick<ConfirmDialogProps, 'onClose' | 'confirmLabel' | 'children'> {
  /** Null while nothing is to be removed. */
  item: Item | null;
  titleOf(item: Item): string;
  onConfirm(item: Item): Promise<unknown>;
}

/** Asks before an item of a list is removed. */
export function RemovalDialog<Item>({ item, titleOf, onConfirm, ...dialog }: RemovalDialogProps<Item>) {
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={item !== null}
      title={item === null ? '' : titleOf(item)}
      isDangerous
      onConfirm={async () => item !== null && onConfirm(item)}
    />
  );
}
