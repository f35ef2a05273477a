import { type ReactNode, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';
import { showError } from '../feedback/toast.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** What will happen, and whether it is permanent. */
  children: ReactNode;
  confirmLabel: string;
  isDangerous?: boolean;
  /** The dialog stays, busy, until this is done; when it fails, it says why and stays. */
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
  const { ui } = useText();
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
  const actions = (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void confirm()}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} actions={actions}>
      {children}
    </Dialog>
  );
}
