import type { ReactNode } from 'react';
import { IconButton } from '../../ui/controls/icon-button.tsx';

/** The controls above a preview. */
export function ToolBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="toolbar" aria-label={label} className="flex min-h-11 shrink-0 items-center gap-1 border-b border-line px-2 py-1">
      {children}
    </div>
  );
}

interface ToolButtonProps {
  label: string;
  onClick: () => void;
  isPressed?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

export function ToolButton({ label, onClick, isPressed, isDisabled = false, children }: ToolButtonProps) {
  return <IconButton label={label} icon={children} onClick={onClick} aria-pressed={isPressed} disabled={isDisabled} />;
}
