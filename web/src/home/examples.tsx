import { Link } from '@tanstack/react-router';
import { FileText, Presentation, Table2 } from 'lucide-react';
import { useText } from '../text/locale.ts';

const examples = [
  { name: 'sales-report', Icon: FileText },
  { name: 'bank-deck', Icon: Presentation },
  { name: 'guest-list', Icon: Table2 },
] as const;

/** What there is to see before the first task: finished ones that were recorded. */
export function Examples() {
  const { home } = useText();
  return (
    <section aria-labelledby="examples">
      <h2 id="examples" className="font-medium">
        {home.examplesTitle}
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-soft">{home.examplesLead}</p>
      <ul className="grid gap-3 sm:grid-cols-3">
        {examples.map(({ name, Icon }) => (
          <li key={name}>
            <Link
              to="/examples/$name"
              params={{ name }}
              className="flex h-full w-full flex-col items-start gap-2 rounded-lg border border-line bg-card p-4 hover:border-accent"
            >
              <Icon aria-hidden className="size-5 text-accent" />
              <span className="text-sm font-medium">{home.examples[name].title}</span>
              <span className="text-sm text-soft">{home.examples[name].text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
