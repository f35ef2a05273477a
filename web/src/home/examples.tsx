import { FileText, MessageCircleQuestion, Presentation } from 'lucide-react';
import { writeDraft } from '../composer/use-draft.ts';
import { useText } from '../text/locale.ts';
import { newTaskDraft } from './new-task.tsx';

const icons = [FileText, Presentation, MessageCircleQuestion];

/** Three example tasks for the first visit. The built-in model can run them too. */
export function Examples() {
  const { home } = useText();
  const use = (text: string) => {
    writeDraft(newTaskDraft, text);
    document.querySelector<HTMLTextAreaElement>('main textarea')?.focus();
  };
  return (
    <section aria-labelledby="examples">
      <h2 id="examples" className="font-medium">
        {home.examplesTitle}
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-soft">{home.examplesLead}</p>
      <ul className="grid gap-3 sm:grid-cols-3">
        {home.examples.map(({ title, text }, index) => {
          const Icon = icons[index] ?? FileText;
          return (
            <li key={title}>
              <button
                type="button"
                onClick={() => use(text)}
                className="flex h-full w-full flex-col items-start gap-2 rounded-lg border border-line bg-card p-4 text-left hover:border-accent"
              >
                <Icon aria-hidden className="size-5 text-accent" />
                <span className="text-sm font-medium">{title}</span>
                <span className="line-clamp-3 text-sm whitespace-pre-line text-soft">{text}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
