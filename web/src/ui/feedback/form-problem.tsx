import { type Texts } from '../../text/en.ts';
import { describeError } from './state.tsx';

/** What is wrong with a form: of each of its fields, and what is of none of them. */
export interface FormProblems {
  of(field: string): string | null;
  rest: string | null;
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Sorts an error by the fields of the form: the service begins its messages with the name of the field they are about. */
export function sortProblem(error: unknown, fields: readonly string[], text: Texts): FormProblems {
  if (error === null || error === undefined) return { of: () => null, rest: null };
  const message = describeError(error, text);
  const [, named = '', about = ''] = /^([a-z_]+)(?:[.[]\w+\]?)*(?::| (?=is required))\s*(.*)$/s.exec(message) ?? [];
  const field = fields.includes(named) ? named : null;
  return { of: (name) => (name === field ? capitalise(about) : null), rest: field === null ? capitalise(message) : null };
}

/** What is wrong with a form as a whole, read out at once. */
export function FormProblem({ problem }: { problem: string | null }) {
  if (problem === null) return null;
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm wrap-anywhere text-bad">
      {problem}
    </p>
  );
}
