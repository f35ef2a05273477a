import type pptxgen from 'pptxgenjs';
import type { ChartSpec } from '../charts/chart-spec.ts';
import type { NativeChart, NativeSeries } from '../charts/native-chart.ts';
import { addUnit, formatShort } from '../charts/number-format.ts';
import type { DeckTheme } from './deck-themes.ts';

const natives = { bar: 'bar', line: 'line', area: 'area', pie: 'pie', donut: 'doughnut', radar: 'radar' } as const;

function hex(color: string): string {
  return color.slice(1).toUpperCase();
}

/** A number format that adds the unit to each number. */
export function describeNumbers(unit: string): string {
  const quoted = `"${unit.replaceAll('"', '')}"`;
  if (unit === '') return '#,##0.##';
  return /^\p{Sc}$/u.test(unit) ? `${quoted}#,##0.##` : `#,##0.##${quoted}`;
}

function describeAxes(spec: ChartSpec, theme: DeckTheme): pptxgen.default.IChartOpts {
  const color = hex(theme.muted);
  const [category, value] = [spec.x_title, spec.y_title];
  return {
    catAxisLabelColor: color,
    valAxisLabelColor: color,
    catAxisLabelFontSize: 12,
    valAxisLabelFontSize: 12,
    valAxisLabelFormatCode: describeNumbers(spec.unit),
    valAxisLineShow: false,
    catGridLine: { style: 'none' },
    valGridLine: { style: 'solid', size: 0.75, color: hex(theme.line) },
    ...(category === ''
      ? {}
      : { showCatAxisTitle: true, catAxisTitle: category, catAxisTitleColor: color, catAxisTitleFontSize: 12 }),
    ...(value === '' ? {} : { showValAxisTitle: true, valAxisTitle: value, valAxisTitleColor: color, valAxisTitleFontSize: 12 }),
  };
}

/** Horizontal bars start at the top, axes at the bottom. The library writes this value, though its types only know the other. */
const firstOnTop = { catAxisOrientation: 'maxMin' } as unknown as pptxgen.default.IChartOpts;

function describeKind(
  { type, isStacked, isWaterfall, series }: NativeChart,
  { spec, labels, theme }: ChartPlace,
): pptxgen.default.IChartOpts {
  const isFew = labels.length * series.length <= 16;
  switch (type) {
    case 'pie':
    case 'donut':
      return {
        showPercent: true,
        showLegend: true,
        legendPos: 'r',
        dataLabelColor: 'FFFFFF',
        dataLabelFontBold: true,
        dataBorder: { pt: 1.5, color: hex(theme.ground) },
        ...(type === 'donut' ? { holeSize: 58 } : {}),
      };
    case 'bar':
      return {
        barDir: spec.horizontal && !isWaterfall ? 'bar' : 'col',
        barGrouping: isStacked ? 'stacked' : 'clustered',
        barGapWidthPct: 55,
        showValue: isFew && !isStacked && series.every(({ form }) => form === 'bar'),
        // The bars of a waterfall stand on bars in the color of the slide, which lines would show.
        ...(isWaterfall ? { showLegend: false, valGridLine: { style: 'none' }, catAxisLineShow: false } : {}),
        ...(spec.horizontal && !isWaterfall ? firstOnTop : {}),
      };
    case 'line':
      return { lineSize: 2.5, lineDataSymbolSize: 7, ...(labels.length > 30 ? { lineDataSymbol: 'none' as const } : {}) };
    case 'area':
      return { barGrouping: isStacked ? 'stacked' : 'standard', chartColorsOpacity: isStacked ? 80 : 45 };
    case 'radar':
      return { radarStyle: 'standard' };
  }
}

interface ChartPlace {
  spec: ChartSpec;
  labels: readonly string[];
  theme: DeckTheme;
}

/** Colors of rises and falls that are told apart on light and dark grounds. */
const tones = { light: { good: '2E7D4F', bad: 'B3372F' }, dark: { good: '4CAF7D', bad: 'E5736B' } } as const;

function colorOf(paint: NativeSeries['paint'], theme: DeckTheme): string {
  if (paint === 'ground') return hex(theme.ground);
  if (paint === 'reference') return hex(theme.muted);
  if (typeof paint === 'string') return tones[theme.chart][paint];
  return hex(theme.series[paint % theme.series.length] ?? '#000000');
}

/** Labels of a waterfall also say the step, because numbers at the bars would stand on those that are not seen as well. */
function listLabels(plan: NativeChart, { spec, labels }: ChartPlace): string[] {
  if (!plan.isWaterfall) return [...labels];
  const bars = plan.series.slice(1);
  return labels.map((label, at) => {
    const own = bars.find(({ values }) => values[at] !== null);
    const sign = own?.paint === 'bad' ? '\u2212' : own?.paint === 'good' ? '+' : '';
    return `${label}\n${sign}${addUnit(formatShort(own?.values[at] ?? 0), spec.unit)}`;
  });
}

/** One form after the other, lines over what else there is, each with its own options. */
function addForms(slide: pptxgen.default.Slide, plan: NativeChart, place: ChartPlace, options: pptxgen.default.IChartOpts): void {
  const labels = listLabels(plan, place);
  const isRound = plan.type === 'pie' || plan.type === 'donut';
  const series = isRound ? plan.series.slice(0, 1) : plan.series;
  const forms = [...new Set(series.map(({ form }) => form))].toSorted((a, b) => Number(a === 'line') - Number(b === 'line'));
  const parts = forms.map((form) => {
    const own = series.map((one, at) => ({ ...one, at })).filter((one) => one.form === form);
    const data = own.map(({ name, values, at }) => ({
      name: name || place.spec.y_title || `Series ${at + 1}`,
      labels,
      values: values.map((value) => value ?? 0),
    }));
    const paints = isRound ? labels.map((_, slice) => slice) : own.map(({ paint }) => paint);
    const look = {
      chartColors: paints.map((paint) => colorOf(paint, place.theme)),
      ...(form === plan.type ? {} : { lineSize: 2.5, lineDataSymbolSize: 7, showValue: false }),
      ...(own.every(({ paint }) => paint === 'reference') ? { lineDataSymbol: 'none' as const, lineSize: 1.5 } : {}),
    };
    return { type: natives[form], data, options: look };
  });
  const [first, ...more] = parts;
  if (!first) return;
  if (more.length === 0) return void slide.addChart(first.type, first.data, { ...options, ...first.options });
  const combined = parts.map(({ type, data, options: own }) => ({
    type,
    data,
    options: { ...describeKind(plan, place), ...own },
  }));
  // For a chart that combines several forms, the library expects the options as the second argument, whatever its types say.
  slide.addChart(combined, { ...options, chartColors: first.options.chartColors } as never);
}

/** An editable chart that contains its numbers. */
export function addNativeChart(
  slide: pptxgen.default.Slide,
  spec: ChartSpec,
  plan: NativeChart,
  labels: readonly string[],
  frame: { x: number; y: number; w: number; h: number },
  theme: DeckTheme,
): void {
  const isRound = plan.type === 'pie' || plan.type === 'donut';
  const title = [spec.title, spec.subtitle].filter((part) => part !== '').join(' – ');
  const place = { spec, labels, theme };
  addForms(slide, plan, place, {
    ...frame,
    ...(title === '' ? {} : { showTitle: true, title, titleColor: hex(theme.strong), titleFontSize: 16, titleBold: true }),
    legendColor: hex(theme.muted),
    legendFontSize: 12,
    showLegend: !isRound && plan.series.length > 1,
    legendPos: 't',
    dataLabelColor: hex(theme.text),
    dataLabelFontSize: 11,
    dataLabelFormatCode: isRound ? '0.0%' : describeNumbers(spec.unit),
    altText: spec.title || 'Chart',
    ...(isRound ? {} : describeAxes(spec, theme)),
    ...describeKind(plan, place),
  });
}
