import { useSession } from '../api/session.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Field, inputClasses } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import type { LimitDraft, LimitUnit } from './limit-draft.ts';

interface LimitFieldProps {
  label: string;
  hint?: string;
  value: LimitDraft;
  problem: string | null;
  isOptional?: boolean;
  onChange(value: LimitDraft): void;
}

/** A limit in credits or in money. */
export function LimitField({ label, hint, value, problem, isOptional = false, onChange }: LimitFieldProps) {
  const { budgets } = useText();
  const format = useFormat();
  const price = useSession().data?.instance.credit_price;
  const { amount, unit } = value;
  const isMoney = unit === 'money';
  const units: { value: LimitUnit; label: string }[] = [
    { value: 'credits', label: budgets.credits },
    ...(price ? [{ value: 'money' as const, label: price.currency }] : []),
  ];
  const worth = price && !isMoney && amount !== '' ? format.money(Number(amount) * price.amount, price.currency) : undefined;
  const shownHint = worth === undefined ? hint : budgets.worth(worth);
  return (
    <Field label={label} problem={problem} isOptional={isOptional} {...(shownHint !== undefined && { hint: shownHint })}>
      {(control) => (
        <div className="flex gap-2">
          <input
            {...control}
            className={inputClasses}
            type="number"
            inputMode={isMoney ? 'decimal' : 'numeric'}
            min={isMoney ? (price?.amount ?? 0) : 1}
            step={isMoney ? 'any' : 1}
            required={!isOptional}
            value={amount}
            onChange={(event) => onChange({ amount: event.target.value, unit })}
          />
          <div className="w-32 shrink-0">
            <Select
              aria-label={budgets.unit}
              value={unit}
              options={units}
              onValueChange={(next) => onChange({ amount, unit: next })}
            />
          </div>
        </div>
      )}
    </Field>
  );
}
