import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field } from '../ui/controls/field.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { checkSchema } from './task-options.ts';

const sample = {
  type: 'object',
  properties: { answer: { type: 'string' }, sources: { type: 'array', items: { type: 'string' } } },
  required: ['answer', 'sources'],
  additionalProperties: false,
};

function indent(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

/** The output schema as JSON, checked while it is edited. */
export function SchemaField({ schema, onChange }: { schema: string; onChange(schema: string): void }) {
  const { home } = useText();
  const problem = checkSchema(schema);
  const isEmpty = schema.trim() === '';
  return (
    <div>
      <Field label={home.schema} hint={home.schemaHint} problem={problem && home.schemaProblems[problem]} isOptional>
        {(control) => (
          <TextArea
            {...control}
            value={schema}
            onChange={(event) => onChange(event.target.value)}
            spellCheck={false}
            className="max-h-80 min-h-20 font-mono text-sm"
          />
        )}
      </Field>
      <div className="mt-2 flex gap-2">
        {isEmpty && (
          <Button size="small" onClick={() => onChange(JSON.stringify(sample, null, 2))}>
            {home.schemaSample}
          </Button>
        )}
        {!isEmpty && problem === null && (
          <Button size="small" onClick={() => onChange(indent(schema))}>
            {home.schemaIndent}
          </Button>
        )}
      </div>
    </div>
  );
}
