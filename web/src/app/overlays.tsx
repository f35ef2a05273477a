import { lazy, Suspense, useEffect } from 'react';
import { showOverlay, useOverlay } from './overlay-state.ts';
import { useShortcuts } from './use-shortcuts.ts';

const loadPalette = () => import('./palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }));

/** What keys open in front of every page; loaded when it is wanted first. */
export function Overlays() {
  const overlay = useOverlay();
  useShortcuts();
  // Before the second key of the chord comes: who types on at once types into it.
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
