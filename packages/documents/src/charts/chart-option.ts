import type { EChartsCoreOption } from 'echarts/core';
import { textWidth } from '../fonts/text-width.ts';
import { mixColors } from '@errand/base/text/colors.ts';
import { listAxes } from './chart-axes.ts';
import { fontOf } from './chart-labels.ts';
import { describeMap } from './chart-map.ts';
import { describePanels } from './chart-panels.ts';
import { type ChartParts, hasAxes, isRound, namesEnds } from './chart-parts.ts';
import { listSeries } from './chart-series.ts';
import type { ChartData, ChartInk, ChartLook, ChartSpec } from './chart-spec.ts';
import { addUnit, formatShort } from './number-format.ts';

const inks: Record<ChartLook['theme'], ChartInk> = {
  light: { text: '#0f172a', muted: '#64748b', line: '#e2e8f0', ground: '#ffffff', good: '#0a7346', bad: '#b3261e' },
  dark: { text: '#f1f5f9', muted: '#94a3b8', line: '#334155', ground: '#0f172a', good: '#56cf95', bad: '#ff8f85' },
};

/** Wraps a headline; truncates the last line. */
function wrapLines(text: string, size: number, width: number, mostLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, true) * size > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1] ?? ''} …`];
}

function listLegendNames(parts: ChartParts): string[] {
  const { spec, data } = parts;
  if (namesEnds(parts)) return [];
  if (spec.type === 'heatmap' || spec.type === 'map' || spec.panels) return [];
  if (isRound(spec)) return [];
  const names = data.series.map(({ name }) => name).filter((name) => name !== '');
  return names.length > 1 ? names : [];
}

/** Headline, subtitle and legend at the top left, stacked; returns their height. */
function layHead(parts: ChartParts): { option: EChartsCoreOption; height: number } {
  const { spec, look, ink } = parts;
  const { scale, width } = look;
  const isBare = look.background === null;
  const margin = (isBare ? 2 : 24) * scale;
  const titleLines = spec.title === '' ? [] : wrapLines(spec.title, 20 * scale, width - 2 * margin, 2);
  const subtitleLines = spec.subtitle === '' ? [] : wrapLines(spec.subtitle, 13 * scale, width - 2 * margin, 2);
  const legend = listLegendNames(parts);
  const titleHeight = titleLines.length * 26 * scale;
  const subtitleHeight = subtitleLines.length * 19 * scale;
  const hasTitle = titleHeight + subtitleHeight > 0;
  const legendTop =
    (hasTitle ? (isBare ? 10 : 24) : isBare ? 2 : 14) * scale + titleHeight + subtitleHeight + (hasTitle ? 4 * scale : 0);
  const title = {
    text: titleLines.join('\n'),
    subtext: subtitleLines.join('\n'),
    left: margin,
    top: (isBare ? 4 : 18) * scale,
    padding: 0,
    itemGap: 5 * scale,
    textStyle: { ...fontOf(parts, 20), fontWeight: 'bold', lineHeight: 26 * scale, color: ink.text },
    subtextStyle: { ...fontOf(parts, 13), lineHeight: 19 * scale, color: ink.muted },
  };
  const legendOption = {
    type: 'scroll',
    data: legend,
    left: margin,
    right: margin,
    top: legendTop,
    padding: 0,
    icon: 'roundRect',
    itemWidth: 12 * scale,
    itemHeight: 12 * scale,
    itemGap: 18 * scale,
    textStyle: { color: ink.muted, ...fontOf(parts, 13) },
    pageIconSize: 0,
  };
  const option = { ...(hasTitle ? { title } : {}), ...(legend.length > 0 ? { legend: legendOption } : {}) };
  return { option, height: legendTop + (legend.length > 0 ? 26 * scale : 0) };
}

function layHeatColours({ data, look, ink, spec }: ChartParts): EChartsCoreOption {
  const values = data.series.flatMap((series) => series.values.filter((value) => value !== null));
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const strong = look.colors[0] ?? ink.text;
  return {
    visualMap: {
      min: low,
      max: high === low ? low + 1 : high,
      calculable: false,
      orient: 'vertical',
      right: 16 * look.scale,
      top: 'center',
      itemWidth: 12 * look.scale,
      itemHeight: Math.min(180 * look.scale, look.height / 3),
      text: [addUnit(formatShort(high), spec.unit), addUnit(formatShort(low), spec.unit)],
      textStyle: { color: ink.muted, ...fontOf({ look }, 12) },
      inRange: { color: [mixColors(strong, ink.ground, 0.14), mixColors(strong, ink.ground, 0.55), strong] },
    },
  };
}

function layGrid(parts: ChartParts, top: number): EChartsCoreOption {
  const { spec, data, look } = parts;
  const { scale } = look;
  const longest = namesEnds(parts) ? Math.max(...data.series.map(({ name }) => textWidth(name, true))) * 13 * scale : 0;
  // A chart without a ground of its own lines up with the text above it.
  const [side, foot] = look.background === null ? [2, 8] : [24, 20];
  const right = spec.type === 'heatmap' ? 96 * scale : (side + 6) * scale + Math.min(longest, look.width * 0.3);
  return { left: side * scale, right, top: top + 22 * scale, bottom: foot * scale, outerBoundsMode: 'same' };
}

function layRadar({ data, look, ink }: ChartParts, top: number): EChartsCoreOption {
  const highest = data.series.flatMap(({ values }) => values).reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
  const space = look.height - top;
  return {
    indicator: data.labels.map((name) => ({ name, max: highest * 1.05 || 1 })),
    center: ['50%', top + space * 0.52],
    radius: Math.min(space, look.width) * 0.36,
    axisName: { color: ink.text, ...fontOf({ look }, 13) },
    axisLine: { lineStyle: { color: ink.line } },
    splitLine: { lineStyle: { color: ink.line } },
    splitArea: { show: false },
  };
}

/** The complete echarts option of a chart. */
export function describeChart(spec: ChartSpec, data: ChartData, look: ChartLook): EChartsCoreOption {
  const parts: ChartParts = {
    spec,
    data,
    look,
    ink: { ...(look.ink ?? inks[look.theme]), ...(look.background ? { ground: look.background } : {}) },
  };
  const head = layHead(parts);
  const panels = spec.panels && data.series.length > 1 ? describePanels(parts, head.height + 8 * look.scale) : null;
  const { titles = [], ...panelOption } = panels ?? {};
  return {
    animation: false,
    color: [...look.colors],
    backgroundColor: look.background ?? 'transparent',
    textStyle: { fontFamily: fontOf(parts, 13).fontFamily, color: parts.ink.text },
    ...head.option,
    ...(hasAxes(spec) && !panels ? { grid: layGrid(parts, head.height), ...listAxes(parts) } : {}),
    ...(spec.type === 'radar' ? { radar: layRadar(parts, head.height) } : {}),
    ...(spec.type === 'heatmap' || spec.type === 'map' ? layHeatColours(parts) : {}),
    series: spec.type === 'map' ? [{ ...describeMap(parts, head.height), silent: true }] : listSeries(parts, head.height),
    ...(panels && { ...panelOption, title: [...(head.option['title'] ? [head.option['title']] : []), ...(titles as unknown[])] }),
  };
}
