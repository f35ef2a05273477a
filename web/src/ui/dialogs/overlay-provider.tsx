import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { ToastArea } from '../feedback/toast.tsx';

/** Context for overlays, around the whole application. */
export function OverlayProvider({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
      <ToastArea />
    </Tooltip.Provider>
  );
}
