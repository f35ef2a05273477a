import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { showError } from '../feedback/toast.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** What will happen, and whether it is permanent. */
  children: ReactNode;
  confirmLabel: string;
  isDangerous?: boolean;
  /** The dialog is busy until this settles; on failure it shows the error and stays open. */
  onConfirm(): Promise<unknown>;
}

export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  confirmLabel,
  isDangerous = false,
  onConfirm,
}: ConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const look = isDangerous ? 'danger' : 'primary';
  const actions = (
    <DialogActions onCancel={onClose} label={confirmLabel} look={look} isBusy={isBusy} onClick={() => void confirm()} />
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} actions={actions}>
      {children}
    </Dialog>
  );
}
