import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Section } from '../../ui/display/card.tsx';
import { ExternalLink } from '../../ui/display/link.tsx';
import { type Api, type ApiOperation, resolve } from './api-document.ts';
import { FieldList } from './field-list.tsx';
import { RichText } from './rich-text.tsx';
import { SamplesView } from './samples-view.tsx';
import { objectsOf } from './schema-parts.ts';
import { TryOut } from './try-out.tsx';

/** The codes with which operations of this version fail, each with the page about it. */
function Errors({ api }: { api: Api }) {
  const { reference: text } = useText();
  const { error } = api.schemas['Error']?.properties ?? {};
  const codes = error?.properties?.code?.enum ?? [];
  return (
    <Section title={text.errors} lead={text.errorsLead}>
      <ul className="flex flex-wrap gap-x-4 gap-y-2 font-mono text-sm">
        {codes.map((code) => (
          <li key={String(code)}>
            <ExternalLink href={`/docs/errors/${String(code)}`}>{String(code)}</ExternalLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AnswerFields({ api, operation: { answer } }: { api: Api; operation: ApiOperation }) {
  const { reference: text } = useText();
  const forms = answer ? objectsOf(api, answer) : [];
  const hasFields = forms.some(({ schema }) => Object.keys(schema.properties ?? {}).length > 0);
  return (
    <Section title={text.answer}>
      {!hasFields && <p className="text-sm text-soft">{text.noAnswer}</p>}
      {hasFields &&
        forms.map(({ label, schema }, index) => (
          <div key={`${label} ${index}`}>
            {label !== '' && <h3 className="pt-2 font-mono text-sm font-medium">{label}</h3>}
            <FieldList api={api} schema={schema} />
          </div>
        ))}
    </Section>
  );
}

/** One operation: its request and answer, programs that call it, and a form that does. */
export function OperationView({ api, operation }: { api: Api; operation: ApiOperation }) {
  const { reference: text } = useText();
  const [input, setInput] = useState(operation.sample);
  const { id, method, path, summary, details, effect } = operation;
  const hasInput = Object.keys(operation.input.properties ?? {}).length > 0;
  return (
    <>
      <header className="mb-8">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono text-xl font-semibold tracking-tight wrap-anywhere">
          {id}
          {effect !== null && <Badge tone={effect === 'deletes' ? 'bad' : 'warn'}>{text.effects[effect]}</Badge>}
        </h2>
        <p className="mt-1 font-mono text-sm wrap-anywhere text-soft">
          {method} {path}
        </p>
        <p className="mt-3 max-w-prose">
          <RichText>{summary}</RichText>
        </p>
        {details !== '' && (
          <p className="mt-2 max-w-prose text-soft">
            <RichText>{details}</RichText>
          </p>
        )}
      </header>
      <div className="grid gap-x-10 lg:grid-cols-2">
        <div className="min-w-0 max-lg:order-2">
          <Section title={text.request}>
            {hasInput ? (
              <FieldList api={api} schema={resolve(api, operation.input)} marksRequired />
            ) : (
              <p className="text-sm text-soft">{text.noInput}</p>
            )}
          </Section>
          <AnswerFields api={api} operation={operation} />
          {operation.takesSession && <Errors api={api} />}
        </div>
        <div className="min-w-0 max-lg:order-1">
          <Section title={text.samples}>
            <SamplesView api={api} operation={operation} input={input} />
          </Section>
          <Section title={text.tryOut} lead={text.tryOutLead}>
            <TryOut api={api} operation={operation} value={input} onChange={setInput} />
          </Section>
        </div>
      </div>
    </>
  );
}
