import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { inputClasses } from '../../ui/controls/field.tsx';
import { linkClasses, ExternalLink } from '../../ui/display/link.tsx';
import { EmptyState } from '../../ui/feedback/state.tsx';
import type { Api } from './api-document.ts';
import { RichText } from './rich-text.tsx';
import { createSearch, type Found, type FoundSubject } from './search.ts';

/** What was searched is still there when a reader comes back from an operation. */
let lastSearch = '';

function OperationRow({ found: { operation, field } }: { found: Found }) {
  const { reference: text } = useText();
  return (
    <li className="grid gap-x-5 gap-y-0.5 py-2.5 sm:grid-cols-[16rem_1fr]">
      <Link
        to="/developers/reference/$operation"
        params={{ operation: operation.id }}
        className={`self-start font-mono text-sm wrap-anywhere ${linkClasses}`}
      >
        {operation.id}
      </Link>
      <div className="min-w-0 text-sm">
        <p>
          <RichText>{operation.summary}</RichText>
        </p>
        {field !== null && (
          <p className="mt-0.5 text-soft">
            {text.foundIn} <code className="font-mono wrap-anywhere">{field}</code>
          </p>
        )}
      </div>
    </li>
  );
}

function SubjectSection({ subject: { name, description, found } }: { subject: FoundSubject }) {
  return (
    <section className="mb-10">
      <h2 id={`subject-${name}`} className="scroll-mt-6 font-mono text-lg font-semibold tracking-tight">
        {name}
      </h2>
      <p className="mt-0.5 mb-2 max-w-prose text-sm text-soft">
        <RichText>{description}</RichText>
      </p>
      <ul className="divide-y divide-line border-t border-line">
        {found.map((one) => (
          <OperationRow key={one.operation.id} found={one} />
        ))}
      </ul>
    </section>
  );
}

/** Every operation by subject, with a search of names, fields, and descriptions. */
export function OperationList({ api }: { api: Api }) {
  const { developers, reference: text } = useText();
  const [typed, setTyped] = useState(lastSearch);
  const search = useMemo(() => createSearch(api), [api]);
  const deferred = useDeferredValue(typed);
  const subjects = useMemo(() => search(deferred), [search, deferred]);
  const count = subjects.reduce((sum, { found }) => sum + found.length, 0);
  const change = (words: string) => {
    lastSearch = words;
    setTyped(words);
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-3">
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          maxLength={200}
          value={typed}
          onChange={(event) => change(event.target.value)}
          className={`${inputClasses} min-w-0 flex-1 basis-64`}
        />
        <ExternalLink href="/openapi.json" className="text-sm">
          {developers.document}
        </ExternalLink>
      </div>
      <p role="status" className="mb-4 text-sm text-soft">
        {text.count(count)}
      </p>
      {subjects.length > 1 && (
        <nav aria-label={text.subjects} className="mb-8 flex flex-wrap gap-x-4 gap-y-1.5 font-mono text-sm">
          {subjects.map(({ name }) => (
            <a key={name} href={`#subject-${name}`} className={linkClasses}>
              {name}
            </a>
          ))}
        </nav>
      )}
      {subjects.map((subject) => (
        <SubjectSection key={subject.name} subject={subject} />
      ))}
      {subjects.length === 0 && (
        <EmptyState icon={<SearchX aria-hidden />} title={text.noneFound}>
          {text.noneFoundBody}
        </EmptyState>
      )}
    </>
  );
}
