import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';

export const panelLinkClasses =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-10';

export interface PanelFrameProps {
  icon: ReactNode;
  name: string;
  detail?: ReactNode;
  actions?: ReactNode;
  /** Called to close the panel; without it there is no close button. */
  onClose?: (() => void) | undefined;
  /** Whether its heading names a dialog. */
  isDialog?: boolean | undefined;
  children: ReactNode;
}

/** A preview with its name and controls. */
export function PanelFrame({ icon, name, detail, actions, onClose, isDialog = false, children }: PanelFrameProps) {
  const { previews, ui } = useText();
  const heading = (
    <h2 dir="auto" className="truncate text-sm font-medium" title={name}>
      {name}
    </h2>
  );
  return (
    <section aria-label={`${previews.title}: ${name}`} className="flex min-h-0 min-w-0 flex-1 flex-col bg-card">
      <header className="flex min-h-12 shrink-0 items-center gap-1 border-b border-line py-1.5 pr-2 pl-4">
        {icon}
        <div className="mr-2 ml-1.5 min-w-0 flex-1">
          {isDialog ? <Dialog.Title asChild>{heading}</Dialog.Title> : heading}
          {detail !== undefined && <p className="truncate text-xs text-soft">{detail}</p>}
        </div>
        {actions}
        {onClose && <IconButton label={ui.close} icon={<X />} onClick={onClose} />}
      </header>
      {children}
    </section>
  );
}
