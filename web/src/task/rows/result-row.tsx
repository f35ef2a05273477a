import { Braces } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import type { ResultRow } from '../conversation/row.ts';
import { CodeFrame } from './code-frame.tsx';

/** The structured result of a turn, as JSON. */
export function ResultCard({ row }: { row: ResultRow }) {
  const { task } = useText();
  const json = JSON.stringify(row.value, null, 2) ?? 'null';
  return (
    <article className="mt-4 overflow-hidden rounded-lg border border-line bg-card">
      <header className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-4">
        <Braces aria-hidden className="size-4 text-soft" />
        <h2 className="flex-1 text-sm font-medium">{task.result}</h2>
        <CopyButton text={json} />
      </header>
      {!row.isSuccess && (
        <p className="border-b border-line bg-bad-soft px-4 py-2 text-sm text-bad">
          {task.resultFailed}
          {row.problem !== null && `: ${row.problem}`}
        </p>
      )}
      <CodeFrame label={task.result} code={json} language="json" className="max-h-96 text-sm" />
    </article>
  );
}
