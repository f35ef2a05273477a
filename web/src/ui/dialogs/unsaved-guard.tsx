import { useBlocker } from '@tanstack/react-router';
import { useText } from '../../text/locale.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before leaving a page with unsaved changes; the browser asks before leaving the application. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { ui } = useText();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title={ui.leaveUnsaved}
      confirmLabel={ui.leave}
      isDangerous
      onConfirm={() => Promise.resolve(proceed?.())}
    >
      {ui.unsaved}
    </ConfirmDialog>
  );
}
