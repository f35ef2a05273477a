import { useBlocker } from '@tanstack/react-router';
import { useText } from '../../text/locale.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before a page is left on which something was changed and not saved; the browser asks where it is left as a whole. */
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
