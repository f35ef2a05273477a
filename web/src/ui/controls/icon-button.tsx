import type { ComponentProps, ReactNode } from 'react';
import { joinClasses } from '../display/class-names.ts';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** What it does, for anyone who does not recognize the icon. */
  label: string;
  icon: ReactNode;
  /** Shown next to the label, such as a key. */
  hint?: ReactNode;
  look?: 'quiet' | 'primary';
}

/** A square icon button; its label appears on hover and focus. */
export function IconButton({ label, icon, hint, look = 'quiet', className, type = 'button', ...rest }: IconButtonProps) {
  const colors =
    look === 'primary'
      ? 'bg-accent text-on-accent hover:brightness-92'
      : 'text-soft hover:text-ink hover:bg-hover aria-pressed:text-accent';
  return (
    <Tooltip label={label} hint={hint}>
      <button
        type={type}
        aria-label={label}
        className={joinClasses(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-md transition-colors disabled:pointer-events-none disabled:opacity-50 pointer-coarse:size-10 [&_svg]:size-4.5',
          colors,
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
