import type { UsageSum } from '@errand/client';
import type { ReactNode } from 'react';
import type { Texts } from '../text/en.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { type Column, Table } from '../ui/display/table.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { type Chosen, type Group, keyOf } from './breakdown-sums.ts';

interface NameProps {
  sum: UsageSum;
  by: Group;
  onChoose(chosen: Chosen): void;
}

/** Models with a key of the account are marked in usage. */
function nameModel(model: string, usage: Texts['usage']): string {
  if (model === '') return usage.unknownModel;
  const mark = 'own:';
  return model.startsWith(mark) ? usage.ownModel(model.slice(mark.length)) : model;
}

/** What can be chosen by a sum, with the name it is shown by. */
function useChoice(): (sum: UsageSum, by: Group) => Chosen | null {
  const { usage } = useText();
  return (sum, by) => {
    const { model, project_id: projectId, project_name: project, user_id: userId, email = '' } = sum;
    if (by === 'model') return { by, id: model ?? '', name: nameModel(model ?? '', usage) };
    if (by === 'user') return { by, id: userId ?? '', name: email };
    if (by === 'day') return null;
    const name = projectId === '' ? usage.noProject : (project ?? usage.otherProject(email));
    return { by, id: projectId ?? '', name };
  };
}

/** The name of a sum; a button that shows only this one. */
function Name({ sum, by, onChoose }: NameProps): ReactNode {
  const { usage } = useText();
  const format = useFormat();
  const choice = useChoice()(sum, by);
  if (!choice) return format.day((sum.date ?? 0) * 1000);
  return (
    <button
      type="button"
      title={usage.showOnly(choice.name)}
      className="text-left underline decoration-line underline-offset-3 wrap-anywhere hover:decoration-current"
      onClick={() => onChoose(choice)}
    >
      {choice.name}
    </button>
  );
}

/** The sums of one group, the dearest first; days the newest first. */
export function BreakdownTable({ sums, by, onChoose }: { sums: readonly UsageSum[] } & Omit<NameProps, 'sum'>) {
  const { usage } = useText();
  const format = useFormat();
  if (sums.length === 0) return <EmptyState title={usage.noCalls}>{usage.noCallsBody}</EmptyState>;
  const count = (key: 'calls' | 'input_tokens' | 'cached_tokens' | 'output_tokens'): Column<UsageSum> => {
    return { key, title: usage.counts[key], kind: 'number', render: (sum) => format.number(sum[key]) };
  };
  const columns: Column<UsageSum>[] = [
    { key: 'name', title: usage.groups[by], render: (sum) => <Name sum={sum} by={by} onChoose={onChoose} /> },
    ...(['calls', 'input_tokens', 'cached_tokens', 'output_tokens'] as const).map(count),
    {
      key: 'money',
      title: usage.cost,
      kind: 'number',
      render: ({ money }) => format.money(money.amount, money.currency),
    },
  ];
  const rows = by === 'day' ? sums.toReversed() : sums;
  return <Table caption={usage.by[by]} columns={columns} rows={rows} keyOf={keyOf} />;
}
