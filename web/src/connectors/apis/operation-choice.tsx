import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inputClasses } from '../../ui/controls/field.tsx';
import { Checkbox } from '../../ui/controls/switch.tsx';
import { FormProblem } from '../../ui/feedback/form-problem.tsx';
import type { ApiOperation } from './api-draft.ts';

interface OperationChoiceProps {
  operations: readonly ApiOperation[];
  chosen: readonly string[];
  /** How many may be chosen. */
  most: number;
  problem: string | null;
  onChange(chosen: string[]): void;
}

/** With fewer, everything is seen at once. */
const fewest = 8;

/** Method and path below the name, or why it cannot be used. */
function Hint({ operation }: { operation: ApiOperation }) {
  const { method, path, summary, problem } = operation;
  return (
    <>
      <span className="font-mono text-xs wrap-anywhere">
        {method.toUpperCase()} {path}
      </span>
      {summary !== '' && <span className="block wrap-anywhere">{summary}</span>}
      {problem !== null && <span className="block wrap-anywhere text-bad">{problem}</span>}
    </>
  );
}

/** The operations of an API that tasks may call. */
export function OperationChoice({ operations, chosen, most, problem, onChange }: OperationChoiceProps) {
  const { connectors } = useText();
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const shown = operations.filter(({ name, path, summary }) => `${name} ${path} ${summary}`.toLowerCase().includes(wanted));
  const toggle = (name: string, isOn: boolean) => onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name));
  const isFull = chosen.length >= most;
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{connectors.apis.operations}</legend>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2 text-sm text-soft">
        <p>{connectors.apis.chosen(chosen.length, most)}</p>
        {chosen.length > 0 && (
          <Button size="small" look="quiet" onClick={() => onChange([])}>
            {connectors.apis.chooseNone}
          </Button>
        )}
      </div>
      {operations.length > fewest && (
        <input
          type="search"
          aria-label={connectors.apis.find}
          placeholder={connectors.apis.find}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          className={`${inputClasses} mb-2`}
        />
      )}
      <div className="flex max-h-72 flex-col gap-3 overflow-y-auto rounded-md border border-line p-3">
        {shown.slice(0, 200).map((operation) => {
          const isOn = chosen.includes(operation.name);
          return (
            <Checkbox
              key={operation.name}
              label={<span className="wrap-anywhere">{operation.name}</span>}
              hint={<Hint operation={operation} />}
              isOn={isOn}
              disabled={operation.problem !== null || (isFull && !isOn)}
              onChange={(isNowOn) => toggle(operation.name, isNowOn)}
            />
          );
        })}
        {shown.length === 0 && <p className="text-sm text-soft">{connectors.apis.noneFound}</p>}
        {shown.length > 200 && <p className="text-sm text-soft">{connectors.apis.findMore(shown.length - 200)}</p>}
      </div>
      <FormProblem problem={problem} />
    </fieldset>
  );
}
