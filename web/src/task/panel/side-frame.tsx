import { type ReactNode, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useMedia } from '../use-media.ts';

/** Wide enough for a panel beside sidebar and conversation. */
const wide = '(min-width: 80rem)';

export interface SidePanelState {
  isWide: boolean;
  isOpen: boolean;
  toggle(): void;
  close(): void;
}

/** Whether the panel is open: as the user chose, else if there is space and something to show. */
export function useSidePanel(hasContent: boolean): SidePanelState {
  const isWide = useMedia(wide);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (isWide && hasContent);
  return { isWide, isOpen, toggle: () => setChosen(!isOpen), close: () => setChosen(false) };
}

export interface SideFrameProps {
  panel: SidePanelState;
  /** An opened file replaces it. */
  isCovered: boolean;
  children: ReactNode;
}

/** The container of the panel: beside the conversation, or in front of it on narrow screens. */
export function SideFrame({ panel, isCovered, children }: SideFrameProps) {
  const { task } = useText();
  if (!panel.isWide) {
    return (
      <Dialog isOpen={panel.isOpen && !isCovered} onClose={panel.close} title={task.details}>
        <div className="-mx-5 -my-4">{children}</div>
      </Dialog>
    );
  }
  if (!panel.isOpen || isCovered) return null;
  return (
    <aside aria-label={task.details} className="w-80 shrink-0 overflow-y-auto border-l border-line">
      {children}
    </aside>
  );
}
