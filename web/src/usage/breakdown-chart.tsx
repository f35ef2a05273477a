import type { UsageSum } from '@errand/client';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Card } from '../ui/display/card.tsx';
import { fillDays } from './daily-usage.ts';
import type { Range } from './breakdown-sums.ts';
import { UsageChart } from './usage-chart.tsx';

export type Unit = 'money' | 'tokens';

/** The sums of each day, in money or tokens. */
export function BreakdownChart({ sums, range, unit }: { sums: readonly UsageSum[]; range: Range; unit: Unit }) {
  const { usage } = useText();
  const format = useFormat();
  const currency = sums[0]?.money.currency ?? 'USD';
  const valueOf = (sum: UsageSum) => (unit === 'money' ? sum.money.amount : sum.input_tokens + sum.output_tokens);
  const values = sums.map((sum) => ({ dayMs: (sum.date ?? 0) * 1000, value: valueOf(sum) }));
  const days = fillDays(values, range.todayMs, range.days);
  const money = (value: number) => format.money(value, currency);
  const tokens = (value: number) => usage.tokensUsed(value, format.number(value));
  return (
    <Card className="mb-6">
      <UsageChart
        days={days}
        caption={usage.byDay}
        smallest={unit === 'money' ? 0.0001 : 1}
        read={unit === 'money' ? money : tokens}
        readShort={unit === 'money' ? money : format.compact}
      />
    </Card>
  );
}
