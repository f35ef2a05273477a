import { lazy, Suspense } from 'react';
import { showOverlay, useOverlay } from './overlay-state.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }));

/** What keys open in front of every page; loaded when it is opened first. */
export function Overlays() {
  const overlay = useOverlay();
  useShortcuts();
  const close = () => showOverlay(null);
  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={close} onShowKeys={() => showOverlay('keys')} />}
      {overlay === 'keys' && <KeyboardHelp onClose={close} />}
    </Suspense>
  );
}
