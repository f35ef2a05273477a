import { Plus, X } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { inputClasses } from '../ui/controls/field.tsx';
import { FormProblem } from '../ui/feedback/form-problem.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';

export interface HeaderField {
  key: number;
  name: string;
  value: string;
}

export interface HeaderFieldsProps {
  fields: readonly HeaderField[];
  problem: string | null;
  onChange(fields: HeaderField[]): void;
}

/** Headers sent with every request, such as one with a key. Their values are secrets. */
export function HeaderFields({ fields, problem, onChange }: HeaderFieldsProps) {
  const { connectors } = useText();
  const change = (key: number, part: Partial<HeaderField>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...part } : field)));
  const add = () =>
    onChange([...fields, { key: (fields.at(-1)?.key ?? 0) + 1, name: fields.length === 0 ? 'Authorization' : '', value: '' }]);
  return (
    <fieldset>
      <legend className="text-sm font-medium">{connectors.headers}</legend>
      <p className="mb-2 text-sm text-soft">{connectors.headersHint}</p>
      <div className="flex flex-col gap-2">
        {fields.map((field) => (
          <div key={field.key} className="flex items-center gap-2">
            <input
              aria-label={connectors.headerName}
              value={field.name}
              autoComplete="off"
              onChange={(event) => change(field.key, { name: event.target.value })}
              className={`${inputClasses} min-w-0 basis-1/2 sm:basis-3/5`}
            />
            <input
              aria-label={connectors.headerValue(field.name)}
              type="password"
              autoComplete="off"
              value={field.value}
              onChange={(event) => change(field.key, { value: event.target.value })}
              className={inputClasses}
            />
            <IconButton
              label={connectors.removeHeader(field.name)}
              icon={<X aria-hidden />}
              onClick={() => onChange(fields.filter(({ key }) => key !== field.key))}
            />
          </div>
        ))}
      </div>
      <FormProblem problem={problem} />
      <Button size="small" className="mt-2" onClick={add}>
        <Plus aria-hidden className="size-4" />
        {connectors.addHeader}
      </Button>
    </fieldset>
  );
}
