import type { ComponentProps } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';

interface DialogActionsProps extends ComponentProps<typeof Button> {
  onCancel(): void;
  /** The label of the primary button. */
  label: string;
}

/** The buttons of a dialog: cancel, and the primary one, which takes all other props. */
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
