import { ArrowUp, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { connectorsQuery } from '../../api/account-facts.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { TextField, Field } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import type { RuleDraft } from './rule-draft.ts';

const decisions = ['always', 'ask', 'never'] as const;

interface RuleRowProps {
  rule: RuleDraft;
  /** Position of the rule, from 0. */
  at: number;
  onChange(part: Partial<RuleDraft>): void;
  onMoveUp(): void;
  onRemove(): void;
}

/** The form of one rule: which calls, and what is to be done with them. */
export function RuleRow({ rule, at, onChange, onMoveUp, onRemove }: RuleRowProps) {
  const { policies } = useText();
  const place = useFormat().number(at + 1);
  const connectors = useQuery(connectorsQuery).data ?? [];
  const known = connectors.map(({ id, name }) => ({ value: id, label: name }));
  const isGone = rule.connector !== '' && !known.some(({ value }) => value === rule.connector);
  const options = [
    { value: '', label: policies.anyConnector },
    ...known,
    ...(isGone ? [{ value: rule.connector, label: policies.goneConnector(rule.connector) }] : []),
  ];
  return (
    <li aria-label={policies.rule(place)} className="grid gap-3 px-5 py-4 sm:grid-cols-2 lg:grid-cols-[9rem_1fr_1fr_1fr_auto]">
      <Field label={policies.decision}>
        {(control) => (
          <Select
            {...control}
            value={rule.decision}
            options={decisions.map((value) => ({ value, label: policies.decisions[value] }))}
            onValueChange={(decision) => onChange({ decision })}
          />
        )}
      </Field>
      <TextField
        label={policies.tool}
        placeholder={policies.anyTool}
        spellCheck={false}
        autoCapitalize="off"
        value={rule.tool}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
      <Field label={policies.connector}>
        {(control) => (
          <Select {...control} value={rule.connector} options={options} onValueChange={(connector) => onChange({ connector })} />
        )}
      </Field>
      <TextField
        label={policies.argument}
        placeholder={policies.anyArgument}
        spellCheck={false}
        autoCapitalize="off"
        value={rule.argument}
        onChange={(event) => onChange({ argument: event.target.value })}
      />
      <span className="flex items-center gap-1 self-end sm:pb-1">
        <IconButton label={policies.moveUp(place)} icon={<ArrowUp aria-hidden />} disabled={at === 0} onClick={onMoveUp} />
        <IconButton label={policies.removeRule(place)} icon={<X aria-hidden />} onClick={onRemove} />
      </span>
    </li>
  );
}
