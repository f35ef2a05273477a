import type { EChartsCoreOption } from 'echarts/core';
import { textWidth } from '../fonts/text-width.ts';
import { labelStyle, outlined, writeValue } from './chart-labels.ts';
import type { ChartParts } from './chart-parts.ts';

/** Lines across the chart, which the first series bears. */
function describeReferences(parts: ChartParts): EChartsCoreOption {
  const { spec, look, ink } = parts;
  if (spec.references.length === 0) return {};
  const axis = spec.type === 'bar' && spec.horizontal ? 'xAxis' : 'yAxis';
  const data = spec.references.map(({ value, label }) => ({
    [axis]: value,
    label: { formatter: [label, writeValue(parts, value)].filter((part) => part !== '').join(' ') },
  }));
  const label = { ...labelStyle(parts), ...outlined(parts), position: axis === 'xAxis' ? 'start' : 'insideEndTop', rotate: 0 };
  const lineStyle = { color: ink.text, width: 1.5 * look.scale, type: 'dashed' };
  return { markLine: { symbol: 'none', silent: true, lineStyle, label, data } };
}

/** Chooses the side of a point on which its text stands: within the picture, and not on the line that comes from above. */
function chooseSide({ data, look }: ChartParts, at: number, place: number, text: string): 'left' | 'center' | 'right' {
  const share = data.labels.length > 1 ? place / (data.labels.length - 1) : 0.5;
  const space = (1 - share) * (look.width - 100 * look.scale) + 20 * look.scale;
  if (share < 0.15) return 'left';
  if (textWidth(text, true) * 13 * look.scale > space) return 'right';
  const values = data.series[at]?.values ?? [];
  const [before, own, after] = [place - 1, place, place + 1].map((each) => values[each] ?? null);
  if (before !== null && before !== undefined && before > (own ?? 0)) return 'left';
  if (after !== null && after !== undefined && after > (own ?? 0)) return 'right';
  return 'center';
}

/** Words at points of a series, such as what happened there. */
function describeAnnotations(parts: ChartParts, at: number): EChartsCoreOption {
  const { spec, data, look, ink } = parts;
  const isLying = spec.type === 'bar' && spec.horizontal;
  const own = spec.annotations.filter(({ series }) => (series === '' ? at === 0 : series === data.series[at]?.name));
  if (own.length === 0) return {};
  const points = own.flatMap(({ at: label, text }): EChartsCoreOption[] => {
    const place = data.labels.indexOf(label);
    const value = data.series[at]?.values[place];
    if (place < 0 || value === null || value === undefined) return [];
    if (isLying) {
      const distance = (textWidth(writeValue(parts, value)) * 13 + 16) * look.scale;
      return [{ coord: [value, place], label: { formatter: text, align: 'left', distance } }];
    }
    return [{ coord: [place, value], label: { formatter: text, align: chooseSide(parts, at, place, text) } }];
  });
  const label = {
    ...labelStyle(parts),
    ...outlined(parts),
    ...{ show: true, fontWeight: 'bold', position: isLying ? 'right' : 'top', distance: 24 * look.scale },
    ...{ width: 170 * look.scale, overflow: 'break', lineHeight: 17 * look.scale },
  };
  const dot = { color: ink.ground, borderColor: ink.text, borderWidth: 2 * look.scale };
  const isBar = spec.type === 'bar';
  return {
    markPoint: {
      symbol: 'circle',
      symbolSize: isBar ? 0.01 : 11 * look.scale,
      silent: true,
      itemStyle: dot,
      label,
      data: points,
    },
  };
}

/** What stands on a series besides its numbers; the first one bears the lines across the chart. */
export function describeMarks(parts: ChartParts, at: number): EChartsCoreOption {
  return { ...(at === 0 ? describeReferences(parts) : {}), ...describeAnnotations(parts, at) };
}
