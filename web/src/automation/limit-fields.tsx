import { type LimitDraft } from '../budgets/limit-draft.ts';
import { LimitField } from '../budgets/limit-field.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { ChoiceField } from './choice-field.tsx';

/** What each reply may cost, and how long tasks wait for a person. */
export interface TaskLimits {
  budget: LimitDraft;
  onLimit: 'wait' | 'end';
  /** Seconds until a question or a confirmation is over; empty for as long as it takes. */
  decideIn: string;
  /** Answer to a question that nobody answers in time; empty for none. */
  answer: string;
}

const longestAnswer = 10_000;

interface FieldsProps {
  limits: TaskLimits;
  /** Whether tasks may ask at all. */
  isInteractive: boolean;
  /** What is wrong, by the names of the API. */
  problemOf(field: 'budget' | 'decision_timeout'): string | null;
  onChange(part: Partial<TaskLimits>): void;
}

function TimeLimit({ limits, problemOf, onChange }: Omit<FieldsProps, 'isInteractive'>) {
  const { automation } = useText();
  const format = useFormat();
  const { decideIn, answer } = limits;
  const usual = Object.entries(automation.times).map(([seconds, label]) => ({ value: seconds, label }));
  const isOther = decideIn !== '' && !(decideIn in automation.times);
  const options = isOther ? [...usual, { value: decideIn, label: format.duration(Number(decideIn) * 1000) }] : usual;
  return (
    <>
      <Field label={automation.decideIn} hint={automation.decideInHint} problem={problemOf('decision_timeout')}>
        {(control) => (
          <Select
            {...control}
            value={decideIn}
            options={[{ value: '', label: automation.noTimeLimit }, ...options]}
            onValueChange={(value) => onChange({ decideIn: value })}
          />
        )}
      </Field>
      {decideIn !== '' && (
        <Field label={automation.usualAnswer} hint={automation.usualAnswerHint} isOptional>
          {(control) => (
            <TextArea
              {...control}
              maxLength={longestAnswer}
              value={answer}
              onChange={(event) => onChange({ answer: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** The limits of tasks that start later. */
export function TaskLimitFields({ limits, isInteractive, problemOf, onChange }: FieldsProps) {
  const { automation } = useText();
  const { budget, onLimit, decideIn } = limits;
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <LimitField
          label={automation.budget}
          hint={automation.budgetHint}
          isOptional
          problem={problemOf('budget')}
          value={budget}
          onChange={(value) => onChange({ budget: value })}
        />
        {budget.amount !== '' && (
          <ChoiceField
            label={automation.onLimit}
            value={onLimit}
            names={automation.onLimits}
            onChange={(value) => onChange({ onLimit: value })}
          />
        )}
      </div>
      {(isInteractive || decideIn !== '') && <TimeLimit limits={limits} problemOf={problemOf} onChange={onChange} />}
    </>
  );
}
