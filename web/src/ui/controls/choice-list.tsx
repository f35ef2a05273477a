import { Checkbox } from './switch.tsx';

export interface ChoiceListProps {
  title: string;
  hint: string;
  options: readonly { id: string; name: string }[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}

/** A multiple choice list. Renders nothing without choices. */
export function ChoiceList({ title, hint, options, chosen, onChange }: ChoiceListProps) {
  if (options.length === 0) return null;
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <fieldset className="min-w-0 sm:col-span-2">
      <legend className="text-sm font-medium">{title}</legend>
      <p className="mb-2 text-sm text-soft">{hint}</p>
      <div className="grid max-h-44 gap-x-5 gap-y-2 overflow-y-auto p-0.5 sm:grid-cols-2">
        {options.map(({ id, name }) => (
          <Checkbox key={id} label={name} isOn={chosen.includes(id)} onChange={(isOn) => toggle(id, isOn)} />
        ))}
      </div>
    </fieldset>
  );
}
