import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Field, inputClasses } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { type Api, type JsonObject, resolve, type Schema } from './api-document.ts';
import { type FieldPath, getField, type InputKind, inputKind, isAbout, readInput, setField, writeInput } from './form-input.ts';

/** What the service said about a field of the last request. */
export interface FieldProblem {
  param: string;
  message: string;
}

interface FormProps {
  api: Api;
  value: JsonObject;
  problem: FieldProblem | null;
  onChange(value: JsonObject): void;
}

interface InputProps extends FormProps {
  path: FieldPath;
  schema: Schema;
  isRequired: boolean;
}

interface ControlProps extends InputProps {
  kind: InputKind;
}

/** A field that is typed: what cannot be read stays in it, and the request stays as it was. */
function TypedInput({ path, schema, isRequired, kind, value, problem, onChange }: ControlProps) {
  const { reference: text } = useText();
  const shown = writeInput(kind, getField(value, path));
  const [typed, setTyped] = useState<{ text: string; shown: string } | null>(null);
  // A change from elsewhere, such as the JSON, wins over what was typed before.
  const current = typed?.shown === shown ? typed.text : shown;
  const isRead = readInput(kind, current) !== null;
  const change = (next: string) => {
    const read = readInput(kind, next);
    const changed = read === null ? value : setField(value, path, read.value);
    setTyped({ text: next, shown: writeInput(kind, getField(changed, path)) });
    if (read !== null) onChange(changed);
  };
  const refusal = problem !== null && isAbout(problem.param, path, kind) ? problem.message : null;
  const isSecret = kind === 'secret';
  const isLine = kind === 'text' || kind === 'number' || isSecret;
  const wrong = isRead ? '' : kind === 'number' ? text.notANumber : text.notJson;
  // A form with what cannot be read is not sent.
  const block = (control: HTMLInputElement | HTMLTextAreaElement | null) => control?.setCustomValidity(wrong);
  return (
    <Field
      label={<code className="font-mono">{path.at(-1)}</code>}
      isOptional={!isRequired}
      problem={wrong || refusal}
      {...(kind === 'mixed' && { hint: text.mixedHint })}
    >
      {(control) =>
        isLine ? (
          <input
            {...control}
            ref={block}
            type={isSecret ? 'password' : 'text'}
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            // Browsers fill in saved passwords in spite of `off`.
            autoComplete={isSecret ? 'new-password' : 'off'}
            spellCheck={false}
            aria-required={isRequired}
            value={current}
            placeholder={writeInput('json', schema.default)}
            onChange={(event) => change(event.target.value)}
            className={inputClasses}
          />
        ) : (
          <TextArea
            {...control}
            ref={block}
            autoComplete="off"
            spellCheck={false}
            aria-required={isRequired}
            value={current}
            onChange={(event) => change(event.target.value)}
            className={kind === 'json' ? 'min-h-10 font-mono text-sm' : 'min-h-10'}
          />
        )
      }
    </Field>
  );
}

function ChosenInput({ path, schema, isRequired, kind, value, problem, onChange }: ControlProps) {
  const { reference: text } = useText();
  const choices = kind === 'flag' ? ['true', 'false'] : (schema.enum as string[]);
  const refusal = problem !== null && isAbout(problem.param, path, kind) ? problem.message : null;
  const options = [{ value: '', label: text.notSet }, ...choices.map((choice) => ({ value: choice, label: choice }))];
  return (
    <Field label={<code className="font-mono">{path.at(-1)}</code>} isOptional={!isRequired} problem={refusal}>
      {(control) => (
        <Select
          {...control}
          value={writeInput(kind, getField(value, path))}
          options={options}
          onValueChange={(chosen) => onChange(setField(value, path, readInput(kind, chosen)?.value))}
        />
      )}
    </Field>
  );
}

function Group({ path, schema, isRequired, kind, ...form }: ControlProps) {
  const { ui } = useText();
  const { problem } = form;
  return (
    <fieldset className="min-w-0 border-l-2 border-line pl-4">
      <legend className="mb-2 -ml-4 text-sm font-medium">
        <code className="font-mono">{path.at(-1)}</code>
        {!isRequired && <span className="ml-1.5 font-normal text-soft">{ui.optional}</span>}
      </legend>
      {problem !== null && isAbout(problem.param, path, kind) && (
        <p role="alert" className="mb-2 text-sm text-bad">
          {problem.message}
        </p>
      )}
      <Inputs {...form} path={path} schema={schema} />
    </fieldset>
  );
}

function OneInput({ path, schema, ...form }: InputProps) {
  const inner = resolve(form.api, schema);
  const kind = inputKind(form.api, inner, path.length - 1);
  const Input = kind === 'group' ? Group : kind === 'choice' || kind === 'flag' ? ChosenInput : TypedInput;
  return <Input {...form} kind={kind} path={path} schema={inner} />;
}

/** The fields of an object. */
function Inputs({ path, schema, names, ...form }: Omit<InputProps, 'isRequired'> & { names?: readonly string[] }) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => names?.includes(name) ?? true);
  return (
    <div className="flex flex-col gap-4">
      {fields.map(([name, field]) => (
        <OneInput key={name} {...form} path={[...path, name]} schema={field} isRequired={required.has(name)} />
      ))}
    </div>
  );
}

interface InputFormProps extends FormProps {
  schema: Schema;
  /** Names of the fields at the top; the others are below a heading that unfolds them. With none, all are at the top. */
  first: ReadonlySet<string>;
}

/** A form for a request, made from its schema. */
export function InputForm({ schema, first, ...form }: InputFormProps) {
  const { reference: text } = useText();
  const names = Object.keys(schema.properties ?? {});
  const others = first.size === 0 ? [] : names.filter((name) => !first.has(name));
  const about = form.problem?.param.split(/[.[]/)[0] ?? '';
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <Inputs {...form} path={[]} schema={schema} names={names.filter((name) => !others.includes(name))} />
      {others.length > 0 && (
        // Nobody should have to look for what the service refused.
        <details open={isOpen || others.includes(about)} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="cursor-pointer text-sm text-soft hover:text-ink">{text.otherFields(others.length)}</summary>
          <div className="pt-3">
            <Inputs {...form} path={[]} schema={schema} names={others} />
          </div>
        </details>
      )}
    </div>
  );
}
