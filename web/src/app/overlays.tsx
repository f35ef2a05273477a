import { lazy, Suspense, useEffect } from 'react';
import { showOverlay, useOverlay } from './overlay-state.ts';
import { useShortcuts } from './use-shortcuts.ts';

const loadPalette = () => import('./palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }));

/** Overlays opened by keys on any page; loaded on demand. */
export function Overlays() {
  const overlay = useOverlay();
  useShortcuts();
  // Before the second key of the chord arrives, so that further typing goes into it.
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') void loadPalette().catch(() => undefined);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const close = () => showOverlay(null);
  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={close} onShowKeys={() => showOverlay('keys')} />}
      {overlay === 'keys' && <KeyboardHelp onClose={close} />}
    </Suspense>
  );
}
