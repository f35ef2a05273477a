import { MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { QuestionRow } from '../conversation/row.ts';
import { Attachments } from './attachments.tsx';
import { BudgetCard } from '../panel/budget-card.tsx';
import type { RowContext } from './row-props.ts';

/** What a task waits for: a question of the agent, or a higher budget. */
export function QuestionCard(props: { row: QuestionRow; context: RowContext }) {
  return props.row.isBudget ? <BudgetCard {...props} /> : <AgentQuestion {...props} />;
}

/** A question of the agent. While it is open, its suggested answers are buttons. */
function AgentQuestion({ row, context }: { row: QuestionRow; context: RowContext }) {
  const { task } = useText();
  const { actions, openFile } = context;
  const mayAnswer = row.isOpen && actions !== null;
  const [isAnswered, setAnswered] = useState(false);
  return (
    <article
      className={joinClasses('mt-4 rounded-lg border px-4 py-3', row.isOpen ? 'border-accent bg-accent-soft' : 'border-line')}
    >
      <h2 className="mb-1 flex items-center gap-2 text-sm font-medium text-accent">
        <MessageCircleQuestion aria-hidden className="size-4" />
        {task.question}
        {!row.isOpen && <span className="font-normal text-soft">· {task.answered}</span>}
      </h2>
      <Markdown text={row.text} />
      <Attachments files={row.attachments} onOpen={openFile} className="mt-2" />
      {row.suggestions.length > 0 && !mayAnswer && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {row.suggestions.map((suggestion) => (
            <li key={suggestion} className="rounded-md border border-line px-2.5 py-1 text-sm text-soft">
              {suggestion}
            </li>
          ))}
        </ul>
      )}
      {mayAnswer && (
        <div className="mt-3 flex flex-wrap gap-2">
          {row.suggestions.map((suggestion) => (
            <Button
              key={suggestion}
              size="small"
              isWrapping
              disabled={isAnswered}
              onClick={() => {
                setAnswered(true);
                actions.answer(suggestion);
              }}
            >
              {suggestion}
            </Button>
          ))}
          <p className="w-full text-sm text-soft">{row.suggestions.length > 0 ? task.questionHelp : task.questionHelpText}</p>
        </div>
      )}
    </article>
  );
}
