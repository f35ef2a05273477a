import { X } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { Field, inputClasses } from '../ui/controls/field.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';

export interface ColorFieldProps {
  label: string;
  /** Color such as `#0b57b0`; empty for none. */
  value: string;
  problem?: string | null;
  onChange(value: string): void;
  /** Removes it from a list; without it, it is emptied. */
  onRemove?: () => void;
}

const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value);

/** A color, as a field for its number and beside it the picker of the browser. */
export function ColorField({ label, value, problem = null, onChange, onRemove }: ColorFieldProps) {
  const { brands } = useText();
  const clear = onRemove ?? (value === '' ? undefined : () => onChange(''));
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <span className="flex items-center gap-2">
          <input
            type="color"
            aria-label={brands.pick(label)}
            className="size-10 shrink-0 cursor-pointer rounded-md border border-edge bg-card p-1"
            value={isColor(value) ? value.toLowerCase() : '#ffffff'}
            onChange={(event) => onChange(event.target.value)}
          />
          <input
            {...control}
            type="text"
            className={inputClasses}
            placeholder={brands.ofTheme}
            spellCheck={false}
            autoCapitalize="off"
            maxLength={7}
            value={value}
            onChange={(event) => onChange(event.target.value.trim())}
          />
          {clear && <IconButton label={brands.clear(label)} icon={<X aria-hidden />} onClick={clear} />}
        </span>
      )}
    </Field>
  );
}
