import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClasses } from '../display/class-names.ts';

export interface DisclosureChipProps {
  isOpen: boolean;
  onToggle(): void;
  /** The id of the element it shows and hides. */
  controls: string;
  icon: ReactNode;
  /** Text of the chip; phones show only its icon. */
  children: ReactNode;
}

/** A small toolbar button that shows and hides more. */
export function DisclosureChip({ isOpen, onToggle, controls, icon, children }: DisclosureChipProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
      className={joinClasses(
        'inline-flex min-h-8 items-center gap-1.5 rounded-md px-2.5 text-sm max-sm:px-2 hover:bg-hover hover:text-ink pointer-coarse:min-h-10 [&_svg]:size-4',
        isOpen ? 'bg-hover text-ink' : 'text-soft',
      )}
    >
      {icon}
      <span className="max-sm:sr-only">{children}</span>
      <ChevronDown aria-hidden className={joinClasses('transition-transform max-sm:hidden', isOpen && 'rotate-180')} />
    </button>
  );
}
