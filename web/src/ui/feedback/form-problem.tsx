import type { Texts } from '../../text/en.ts';
import { describeError } from './state.tsx';

/** The errors of a form: per field, and for the form as a whole. */
export interface FormProblems {
  of(field: string): string | null;
  rest: string | null;
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Assigns an error to a form field: messages of the service start with the name of their field. */
export function sortProblem(error: unknown, fields: readonly string[], text: Texts): FormProblems {
  if (error === null || error === undefined) return { of: () => null, rest: null };
  const message = describeError(error, text);
  const [, named = '', about = ''] = /^([a-z_]+)(?:[.[][\w-]+\]?)*(?::| (?=is required))\s*(.*)$/s.exec(message) ?? [];
  const field = fields.includes(named) ? named : null;
  return { of: (name) => (name === field ? capitalise(about) : null), rest: field === null ? capitalise(message) : null };
}

/** An error of a form as a whole, read out immediately. */
export function FormProblem({ problem }: { problem: string | null }) {
  if (problem === null) return null;
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm wrap-anywhere text-bad">
      {problem}
    </p>
  );
}
