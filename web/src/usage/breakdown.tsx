import { useQuery } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Section } from '../ui/display/card.tsx';
import { Skeleton, SkeletonList } from '../ui/display/skeleton.tsx';
import { TabPanel, Tabs } from '../ui/display/tabs.tsx';
import { useNow } from '../ui/display/time.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { saveText } from '../ui/feedback/save-text.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { BreakdownChart, type Unit } from './breakdown-chart.tsx';
import { type Chosen, type Group, type Range, readSums, sumsOf, writeSums } from './breakdown-sums.ts';
import { BreakdownTable } from './breakdown-table.tsx';
import { startOfDay } from './daily-usage.ts';

const periods = ['7', '30', '90', '365'] as const;
type Period = (typeof periods)[number];

/** The sums of a group; kept while others load, so that nothing jumps. */
function useSums(range: Range, by: Group, chosen: Chosen | null) {
  return useQuery({
    queryKey: ['usage-sums', range, by, chosen],
    queryFn: ({ signal }) => readSums(range, by, chosen, signal),
    placeholderData: (before, query) => (query?.queryKey[2] === by ? before : undefined),
  });
}

function Total({ range, chosen }: { range: Range; chosen: Chosen | null }) {
  const { usage } = useText();
  const format = useFormat();
  const { data: total } = useQuery({
    queryKey: ['usage-total', range, chosen],
    queryFn: async ({ signal }) =>
      (await errand.usage.breakdown({ ...sumsOf(range, 'day', chosen), limit: 1 }, { signal })).total,
  });
  if (!total) return <span className="inline-block min-h-[1lh]" />;
  const tokens = total.input_tokens + total.output_tokens;
  return (
    <>
      {[
        format.money(total.money.amount, total.money.currency),
        usage.tokensUsed(tokens, format.compact(tokens)),
        usage.callsMade(total.calls, format.number(total.calls)),
      ].join(' · ')}
    </>
  );
}

function Groups({ range, chosen, onChoose }: { range: Range; chosen: Chosen | null; onChoose(chosen: Chosen): void }) {
  const { usage } = useText();
  const [by, setBy] = useState<Group>('model');
  const { data, error, refetch } = useSums(range, by, chosen);
  const save = useAction(async () =>
    saveText(writeSums(await readSums(range, by, chosen), by), `errand-usage-by-${by}.csv`, 'text/csv'),
  );
  const groups = (['model', 'project', 'user', 'day'] as const).map((value) => ({ value, label: usage.groups[value] }));
  const download = (
    <Button size="small" isBusy={save.isPending} onClick={() => save.mutate(undefined)}>
      <Download aria-hidden className="size-4" />
      {usage.exportCsv}
    </Button>
  );
  return (
    <>
      <Tabs<Group> label={usage.groupBy} value={by} onValueChange={setBy} tabs={groups}>
        <TabPanel value={by}>
          {error && <ErrorState error={error} onRetry={refetch} />}
          {!error && data === undefined && <SkeletonList rows={3} className="h-9" />}
          {data && <BreakdownTable sums={data} by={by} onChoose={onChoose} />}
        </TabPanel>
      </Tabs>
      {data !== undefined && data.length > 0 && <div className="mt-4 flex justify-end">{download}</div>}
    </>
  );
}

/** What model calls have used: by day in a chart, and by model, project, person, and day in a table. */
export function Breakdown() {
  const { usage } = useText();
  const [period, setPeriod] = useState<Period>('30');
  const [unit, setUnit] = useState<Unit | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const range = { days: Number(period), todayMs: startOfDay(useNow()) };
  const days = useSums(range, 'day', chosen);
  // Where nothing has a price, money says nothing.
  const isFree = days.data?.every(({ money }) => money.amount === 0) ?? false;
  const shownUnit = unit ?? (isFree ? 'tokens' : 'money');
  const actions = (
    <div className="flex flex-wrap items-center gap-1">
      <Select<Unit>
        isQuiet
        aria-label={usage.unit}
        value={shownUnit}
        options={[
          { value: 'money', label: usage.cost },
          { value: 'tokens', label: usage.tokens },
        ]}
        onValueChange={setUnit}
      />
      <Select<Period>
        isQuiet
        aria-label={usage.period}
        value={period}
        options={periods.map((value) => ({ value, label: usage.lastDays(Number(value), value) }))}
        onValueChange={setPeriod}
      />
    </div>
  );
  return (
    <Section title={usage.models} lead={<Total range={range} chosen={chosen} />} actions={actions}>
      {chosen && (
        <Button size="small" className="mb-3" onClick={() => setChosen(null)}>
          <span className="min-w-0 truncate">{usage.only(chosen.name)}</span>
          <X aria-hidden className="size-4 shrink-0" />
          <span className="sr-only">{usage.showAll}</span>
        </Button>
      )}
      {days.error && <ErrorState error={days.error} onRetry={days.refetch} />}
      {!days.error && !days.data && <Skeleton className="mb-6 h-61" />}
      {days.data && <BreakdownChart sums={days.data} range={range} unit={shownUnit} />}
      <Groups range={range} chosen={chosen} onChoose={setChosen} />
    </Section>
  );
}
