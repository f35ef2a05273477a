import type { ComponentProps } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';

interface DialogActionsProps extends ComponentProps<typeof Button> {
  onCancel(): void;
  /** What the button does that the dialog is for. */
  label: string;
}

/** The buttons of a dialog: one that cancels, and the primary one, which takes all other properties. */
export function DialogActions({ onCancel, label, ...button }: DialogActionsProps) {
  const { ui } = useText();
  return (
    <>
      <Button onClick={onCancel}>{ui.cancel}</Button>
      <Button look="primary" {...button}>
        {label}
      </Button>
    </>
  );
}
