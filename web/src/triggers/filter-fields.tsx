import { Plus, X } from 'lucide-react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { inputClasses } from '../ui/controls/field.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import type { Condition } from './trigger-request.ts';

const mostConditions = 20;
const samplePointer = '/action';

interface FilterFieldsProps {
  filter: readonly Condition[];
  problem: string | null;
  onChange(filter: Condition[]): void;
}

/** Conditions on the payload, all of which must be met. */
export function FilterFields({ filter, problem, onChange }: FilterFieldsProps) {
  const { triggers } = useText();
  const format = useFormat();
  const change = (at: number, part: Partial<Condition>) =>
    onChange(filter.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{triggers.filter}</legend>
      <p className="mb-2 text-sm text-soft">{triggers.filterHint}</p>
      <ul className="flex flex-col gap-2">
        {filter.map(({ pointer, equals }, at) => {
          const index = format.number(at + 1);
          return (
            // Conditions have no identity but their place.
            <li key={at} className="flex items-center gap-2">
              <input
                aria-label={triggers.pointer(index)}
                placeholder={samplePointer}
                spellCheck={false}
                className={inputClasses}
                value={pointer}
                onChange={(event) => change(at, { pointer: event.target.value })}
              />
              <span aria-hidden className="text-sm text-soft">
                {triggers.is}
              </span>
              <input
                aria-label={triggers.equals(index)}
                spellCheck={false}
                className={inputClasses}
                value={equals}
                onChange={(event) => change(at, { equals: event.target.value })}
              />
              <IconButton
                label={triggers.removeFilter(index)}
                icon={<X aria-hidden />}
                onClick={() => onChange(filter.filter((_, other) => other !== at))}
              />
            </li>
          );
        })}
      </ul>
      {problem !== null && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {problem}
        </p>
      )}
      <Button
        size="small"
        className="mt-2"
        disabled={filter.length >= mostConditions}
        onClick={() => onChange([...filter, { pointer: '', equals: '' }])}
      >
        <Plus aria-hidden className="size-4" />
        {triggers.addFilter}
      </Button>
    </fieldset>
  );
}
