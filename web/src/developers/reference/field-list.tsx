import { useState } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { type Api, resolve, type Schema } from './api-document.ts';
import { RichText } from './rich-text.tsx';
import { boundsOf, describeType, type Form, objectsOf } from './schema-parts.ts';

/** Bounds and default of a field, in words. */
function useLimits(api: Api, schema: Schema): string {
  const { reference: text } = useText();
  const format = useFormat();
  const bounds = boundsOf(api, schema);
  const { default: fallback } = resolve(api, schema);
  const words: string[] = [];
  if (bounds) {
    const [low = '', high = ''] = [bounds.low, bounds.high].map((bound) => (bound === undefined ? '' : format.number(bound)));
    const range = low === '' ? `≤ ${high}` : high === '' ? `≥ ${low}` : low === high ? low : `${low}–${high}`;
    words.push(bounds.unit === null ? range : text.bounds[bounds.unit](range));
  }
  if (fallback !== undefined) words.push(text.defaultIs(JSON.stringify(fallback)));
  return words.join(' · ');
}

interface ObjectsProps {
  api: Api;
  forms: readonly Form[];
  /** The field that they are in. */
  name: string;
  marksRequired: boolean;
}

function Objects({ api, forms, name, marksRequired }: ObjectsProps) {
  const { reference: text } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-1.5" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm text-soft hover:text-ink">{text.fieldsOf(name)}</summary>
      {/* Objects may contain others of their own kind, so only what is open is there. */}
      {isOpen && (
        <div className="mt-2 border-l-2 border-line pl-4">
          {forms.map(({ label, schema }, index) => (
            <section key={`${label} ${index}`} className="mb-3 last:mb-0">
              {label !== '' && <h3 className="pt-2 font-mono text-sm font-medium">{label}</h3>}
              <FieldList api={api} schema={schema} marksRequired={marksRequired} />
            </section>
          ))}
        </div>
      )}
    </details>
  );
}

interface FieldRowProps {
  api: Api;
  name: string;
  schema: Schema;
  isRequired: boolean;
  marksRequired: boolean;
}

function FieldRow({ api, name, schema, isRequired, marksRequired }: FieldRowProps) {
  const { reference: text } = useText();
  const limits = useLimits(api, schema);
  const forms = objectsOf(api, schema);
  const description = resolve(api, schema).description ?? '';
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-sm">
        <code className="font-mono font-medium wrap-anywhere">{name}</code>
        <span className="min-w-0 font-mono text-xs wrap-anywhere text-soft">{describeType(api, schema)}</span>
        {isRequired && <Badge tone="good">{text.required}</Badge>}
        {limits !== '' && <span className="text-xs text-soft">{limits}</span>}
      </p>
      {description !== '' && (
        <p className="mt-1 max-w-prose text-sm text-soft">
          <RichText>{description}</RichText>
        </p>
      )}
      {forms.length > 0 && <Objects api={api} forms={forms} name={name} marksRequired={marksRequired} />}
    </li>
  );
}

export interface FieldListProps {
  api: Api;
  /** An object. */
  schema: Schema;
  /** Whether to mark the fields that are required; in answers all of them would be. */
  marksRequired?: boolean;
}

/** The fields of an object with types, bounds, and descriptions; those of objects inside on request. */
export function FieldList({ api, schema, marksRequired = false }: FieldListProps) {
  const required = new Set(marksRequired ? schema.required : []);
  return (
    <ul className="divide-y divide-line">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <FieldRow key={name} api={api} name={name} schema={field} isRequired={required.has(name)} marksRequired={marksRequired} />
      ))}
    </ul>
  );
}
