import type { ComponentProps } from 'react';
import { joinClasses } from '../display/class-names.ts';
import { Spinner } from '../display/spinner.tsx';

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium';

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:brightness-92',
  secondary: 'bg-card text-ink border-line hover:bg-hover',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-hover',
  danger: 'bg-transparent text-bad border-current hover:bg-bad-soft',
};

const sizes: Record<ButtonSize, string> = {
  small: 'min-h-8 px-2.5 text-sm gap-1.5',
  medium: 'min-h-9.5 px-3.5 text-sm gap-2',
};

/** The classes of a button, for links that look like one. */
export function buttonClasses(look: ButtonLook = 'secondary', size: ButtonSize = 'medium', isWrapping = false): string {
  return joinClasses(
    isWrapping ? 'max-w-full py-1.5 text-left wrap-anywhere' : 'whitespace-nowrap',
    'inline-flex items-center justify-center rounded-md border font-medium transition-[background-color,filter] select-none',
    'disabled:opacity-50 disabled:pointer-events-none',
    looks[look],
    sizes[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: ButtonSize;
  /** Busy: shows a spinner and cannot be pressed again. */
  isBusy?: boolean;
  /** Wraps long texts, such as suggested answers. */
  isWrapping?: boolean;
}

export function Button(props: ButtonProps) {
  const { look, size, isBusy = false, isWrapping, className, children, disabled, type = 'button', ...rest } = props;
  return (
    <button
      type={type}
      className={joinClasses(buttonClasses(look, size, isWrapping), className)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}
