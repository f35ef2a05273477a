import type { EChartsCoreOption } from 'echarts/core';
import { listAxes } from './chart-axes.ts';
import { fontOf } from './chart-labels.ts';
import type { ChartParts } from './chart-parts.ts';
import { listSeries } from './chart-series.ts';

/** One scale for all panels, because only so they can be compared: in three or four round steps, from zero unless numbers are below it. */
function findScale({ data }: ChartParts): { min: number; max: number; interval: number } {
  const values = data.series.flatMap((series) => series.values.filter((value) => value !== null));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const size = 10 ** Math.floor(Math.log10(Math.max(high - low, 1e-9) / 3.2));
  const interval = [1, 2, 2.5, 5, 10].map((step) => step * size).find((step) => (high - low) / step <= 4.2) ?? size * 10;
  return { min: Math.floor(low / interval) * interval, max: Math.ceil(high / interval) * interval, interval };
}

/** How many panels stand beside each other. */
function countColumns(count: number, width: number, height: number): number {
  const best = [1, 2, 3, 4, 5, 6].map((columns) => {
    const rows = Math.ceil(count / columns);
    const [wide, high] = [width / columns, height / rows];
    // Panels are best a good half wider than high, and without empty places.
    return { columns, badness: Math.abs(Math.log(wide / high / 1.6)) + (columns * rows - count) * 0.25 };
  });
  return best.toSorted((a, b) => a.badness - b.badness)[0]?.columns ?? 1;
}

/** Each series in a panel of its own, on the same scale: easier to read than many lines upon each other. */
export function describePanels(parts: ChartParts, top: number): EChartsCoreOption {
  const { data, look, ink } = parts;
  const { scale } = look;
  const count = data.series.length;
  const [left, bottom, gap, headHeight] = [24 * scale, 16 * scale, 18 * scale, 26 * scale];
  const columns = countColumns(count, look.width, look.height - top);
  const rows = Math.ceil(count / columns);
  const width = (look.width - 2 * left - (columns - 1) * gap) / columns;
  const height = (look.height - top - bottom - (rows - 1) * gap) / rows;
  const range = findScale(parts);
  const panels = data.series.map((series, at) => {
    const own: ChartParts = {
      spec: { ...parts.spec, title: '', panels: false },
      data: { labels: data.labels, series: [series] },
      look: { ...look, width, height, colors: [look.colors[0] ?? ink.text] },
      ink,
    };
    const [x, y] = [left + (at % columns) * (width + gap), top + Math.floor(at / columns) * (height + gap)];
    const axes = listAxes(own);
    const isLying = own.spec.type === 'bar' && own.spec.horizontal;
    const [xRange, yRange] = isLying ? [range, {}] : [{}, range];
    return {
      title: {
        text: series.name,
        left: x,
        top: y,
        padding: 0,
        textStyle: { ...fontOf(own, 13), fontWeight: 'bold', color: ink.text },
      },
      grid: { left: x, top: y + headHeight, width, height: height - headHeight, outerBoundsMode: 'same' },
      xAxis: { ...axes.xAxis, ...xRange, gridIndex: at },
      yAxis: { ...axes.yAxis, ...yRange, gridIndex: at },
      series: listSeries(own, 0).map((each) => ({ ...each, color: look.colors[0], xAxisIndex: at, yAxisIndex: at })),
    };
  });
  return {
    titles: panels.map(({ title }) => title),
    grid: panels.map(({ grid }) => grid),
    xAxis: panels.map(({ xAxis }) => xAxis),
    yAxis: panels.map(({ yAxis }) => yAxis),
    series: panels.flatMap(({ series }) => series),
  };
}
