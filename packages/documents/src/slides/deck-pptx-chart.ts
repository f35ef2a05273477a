import type pptxgen from 'pptxgenjs';
import type { ChartData, ChartSpec } from '../charts/chart-spec.ts';
import type { DeckTheme } from './deck-themes.ts';

const natives = { bar: 'bar', line: 'line', area: 'area', pie: 'pie', donut: 'doughnut', radar: 'radar' } as const;
type NativeType = keyof typeof natives;

/** Whether PowerPoint has this chart type; others are drawn as pictures. */
export function isNativeChart(spec: ChartSpec, { labels, series }: ChartData): boolean {
  const isPlain = spec.lines.length === 0 && spec.references.length === 0 && spec.annotations.length === 0 && !spec.panels;
  return isPlain && spec.type in natives && labels.length * series.length <= 5_000;
}

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

function describeKind(spec: ChartSpec, data: ChartData, theme: DeckTheme): pptxgen.default.IChartOpts {
  const isFew = data.labels.length * data.series.length <= 16;
  switch (spec.type) {
    case 'pie':
    case 'donut':
      return {
        showPercent: true,
        showLegend: true,
        legendPos: 'r',
        dataLabelColor: 'FFFFFF',
        dataLabelFontBold: true,
        dataBorder: { pt: 1.5, color: hex(theme.ground) },
        ...(spec.type === 'donut' ? { holeSize: 58 } : {}),
      };
    case 'bar':
      return {
        barDir: spec.horizontal ? 'bar' : 'col',
        barGrouping: spec.stacked ? 'stacked' : 'clustered',
        barGapWidthPct: 55,
        showValue: isFew && !spec.stacked,
        ...(spec.horizontal ? firstOnTop : {}),
      };
    case 'line':
      return { lineSize: 2.5, lineDataSymbolSize: 7, ...(data.labels.length > 30 ? { lineDataSymbol: 'none' as const } : {}) };
    case 'area':
      return { barGrouping: spec.stacked ? 'stacked' : 'standard', chartColorsOpacity: spec.stacked ? 80 : 45 };
    case 'radar':
      return { radarStyle: 'standard' };
    case 'waterfall':
    case 'scatter':
    case 'heatmap':
    case 'map':
      return {};
  }
}

/** An editable chart that contains its numbers. */
export function addNativeChart(
  slide: pptxgen.default.Slide,
  spec: ChartSpec,
  { labels, series }: ChartData,
  place: { x: number; y: number; w: number; h: number },
  theme: DeckTheme,
): void {
  const isRound = spec.type === 'pie' || spec.type === 'donut';
  const shown = isRound ? series.slice(0, 1) : series;
  const data = shown.map(({ name, values }, at) => ({
    name: name || spec.y_title || `Series ${at + 1}`,
    labels,
    values: values.map((value) => value ?? 0),
  }));
  const title = [spec.title, spec.subtitle].filter((part) => part !== '').join(' – ');
  slide.addChart(natives[spec.type as NativeType], data, {
    ...place,
    chartColors: Array.from({ length: isRound ? labels.length : shown.length }, (_, at) =>
      hex(theme.series[at % theme.series.length] ?? '#000000'),
    ),
    ...(title === '' ? {} : { showTitle: true, title, titleColor: hex(theme.strong), titleFontSize: 16, titleBold: true }),
    legendColor: hex(theme.muted),
    legendFontSize: 12,
    showLegend: shown.length > 1,
    legendPos: 't',
    dataLabelColor: hex(theme.text),
    dataLabelFontSize: 11,
    dataLabelFormatCode: isRound ? '0.0%' : describeNumbers(spec.unit),
    altText: spec.title || 'Chart',
    ...(isRound ? {} : describeAxes(spec, theme)),
    ...describeKind(spec, { labels, series: shown }, theme),
  });
}
