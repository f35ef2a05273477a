import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { joinClasses } from '../display/class-names.ts';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string>
  extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children' | 'size'> {
  value: Value;
  options: readonly SelectOption<Value>[];
  onValueChange(value: Value): void;
  /** Shows no border, for toolbars. */
  isQuiet?: boolean;
}

/** A native select, which every keyboard, phone and screen reader supports. Needs a `Field` or an `aria-label`. */
export function Select<Value extends string>({
  value,
  options,
  onValueChange,
  isQuiet = false,
  className,
  ...rest
}: SelectProps<Value>) {
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option) onValueChange(option.value);
  };
  const look = isQuiet
    ? 'border-transparent bg-transparent text-soft hover:bg-hover hover:text-ink min-h-8 py-1 text-sm pr-7 pl-2.5 [field-sizing:content] pointer-coarse:min-h-10 max-sm:pr-6.5 max-sm:pl-2'
    : 'border-edge bg-card min-h-9.5 py-1.5 pr-8 pl-2.5 text-base';
  return (
    <span className={joinClasses('relative inline-flex min-w-0 items-center', className)}>
      <select
        value={value}
        onChange={(event) => choose(event.target.value)}
        className={joinClasses(
          'w-full appearance-none truncate rounded-md border disabled:opacity-60 [&>option]:bg-card [&>option]:text-ink',
          look,
        )}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className={joinClasses(
          'pointer-events-none absolute size-4 text-soft',
          isQuiet ? 'right-2 max-sm:right-1.5' : 'right-2.5',
        )}
      />
    </span>
  );
}
