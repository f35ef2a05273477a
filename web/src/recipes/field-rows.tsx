import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import type { RecipeField } from './template-fields.ts';

const types = ['text', 'choice', 'file', 'date'] as const;

interface FieldRowsProps {
  fields: readonly RecipeField[];
  /** The text of the choices as it was entered, by field. */
  choiceTexts: Readonly<Record<string, string>>;
  problem: string | null;
  onChange(field: RecipeField): void;
  onChoices(name: string, text: string): void;
}

/** What each field of a recipe takes. */
export function FieldRows({ fields, choiceTexts, problem, onChange, onChoices }: FieldRowsProps) {
  const { recipes } = useText();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{recipes.fieldsTitle}</legend>
      {fields.length === 0 && <p className="text-sm text-soft">{recipes.fieldsEmpty}</p>}
      <ul className="flex flex-col gap-3">
        {fields.map((field) => (
          <li key={field.name} className="rounded-md border border-line p-3">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <code className="min-w-0 flex-1 basis-28 font-mono text-sm wrap-anywhere">{field.name}</code>
              <Select
                aria-label={recipes.type(field.name)}
                value={field.type}
                options={types.map((value) => ({ value, label: recipes.types[value] }))}
                onValueChange={(type) => onChange({ ...field, type })}
              />
              <Checkbox
                label={recipes.required}
                isOn={field.required}
                onChange={(required) => onChange({ ...field, required })}
              />
            </div>
            {field.type === 'choice' && (
              <Field label={recipes.choices(field.name)} hint={recipes.choicesHint} className="mt-3">
                {(control) => (
                  <TextArea
                    {...control}
                    required
                    value={choiceTexts[field.name] ?? field.choices?.join('\n') ?? ''}
                    onChange={(event) => onChoices(field.name, event.target.value)}
                  />
                )}
              </Field>
            )}
          </li>
        ))}
      </ul>
      {problem !== null && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
