import { cleanLine, escapeMarkup } from '../clean-text.ts';
import type { ChartRecord } from '../charts/chart-record.ts';
import type { NativeChart, NativeSeries } from '../charts/native-chart.ts';
import { textWidth } from '../fonts/text-width.ts';
import { describeNumbers } from '../slides/deck-pptx-chart.ts';
import { writeText } from './chart-axes-markup.ts';
import { type ThemeColors, toUnits, writeColor } from './drawing-markup.ts';
import type { PageFrame } from './page-deck-spec.ts';

/** A chart, where it stands, and the colors of its deck. */
export interface ChartContext {
  record: ChartRecord;
  plan: NativeChart;
  frame: PageFrame;
  theme: ThemeColors;
}

const isRoundChart = ({ plan }: ChartContext) => plan.type === 'pie' || plan.type === 'donut';

function nameColumn(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : `${nameColumn(Math.floor(at / 26) - 1)}${nameColumn(at % 26)}`;
}

/** The colors that were asked for, otherwise those of the theme in order. */
function fillOf(paint: NativeSeries['paint'], { record, theme }: ChartContext): string {
  if (paint === 'ground') return '<a:noFill/>';
  if (paint === 'reference') return '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>';
  if (typeof paint === 'string') return `<a:solidFill>${writeColor(`${record[paint]}ff`, theme)}</a:solidFill>`;
  const own = record.colors[paint]?.toLowerCase() ?? `chart-${(paint % 6) + 1}`;
  const color = own.startsWith('#') ? writeColor(`${own}ff`, theme) : `<a:schemeClr val="accent${own.at(-1)}"/>`;
  return `<a:solidFill>${color}</a:solidFill>`;
}

function writeTexts(texts: readonly string[], reference: string): string {
  const points = texts.map((text, at) => `<c:pt idx="${at}"><c:v>${escapeMarkup(cleanLine(text))}</c:v></c:pt>`).join('');
  return `<c:strRef><c:f>${reference}</c:f><c:strCache><c:ptCount val="${texts.length}"/>${points}</c:strCache></c:strRef>`;
}

function writeNumbers(values: readonly (number | null)[], reference: string): string {
  const points = values.map((value, at) => (value === null ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join('');
  return `<c:numRef><c:f>${reference}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="${values.length}"/>${points}</c:numCache></c:numRef>`;
}

/** Whether the numbers fit beside each other; none stand where lines cross the bars. */
export function fitsNumbers({ record, plan, frame }: ChartContext): boolean {
  const { spec, labels } = record;
  const { type, isStacked, isWaterfall, series } = plan;
  if (isWaterfall) return (frame.width * 0.85) / labels.length >= 44;
  const longest = Math.max(
    1,
    ...series.flatMap(({ values }) => values.map((value) => String(value ?? '').length + spec.unit.length)),
  );
  if (type === 'line') return series.length === 1 && (frame.width * 0.85) / labels.length >= longest * 12;
  if (type !== 'bar' || isStacked || series.some(({ form }) => form !== 'bar')) return false;
  const length = spec.horizontal ? frame.height : frame.width;
  return (length * 0.6) / (labels.length * series.length) >= (spec.horizontal ? 20 : longest * 10);
}

/** Whether lines have their names at their ends, in place of a legend. */
export function namesEnds({ record: { labels }, plan }: ChartContext): boolean {
  return plan.type === 'line' && !plan.isStacked && plan.series.length > 1 && plan.series.length <= 6 && labels.length > 1;
}

/** Where the name of a line stands: at its last number, and that of a line across bars above one that it is higher than, on the ground. */
function placeName({ values, paint }: NativeSeries, { plan }: ChartContext): number {
  const bars = plan.series.filter(({ form }) => form === 'bar');
  const clear = values.findLastIndex((value, at) => bars.every((bar) => (bar.values[at] ?? 0) < (value ?? 0)));
  return paint === 'reference' && clear >= 0 ? clear : values.findLastIndex((value) => value !== null);
}

/** The name of a line; lines across a chart always have theirs. */
function writeEndName(series: NativeSeries, context: ChartContext): string {
  const { paint, form } = series;
  const last = placeName(series, context);
  const isNamed = form === 'line' && (paint === 'reference' || namesEnds(context));
  if (!isNamed || last < 0) return '';
  const shown = ['LegendKey', 'Val', 'CatName', 'SerName', 'Percent', 'BubbleSize'];
  const parts = shown.map((part) => `<c:show${part} val="${part === 'SerName' ? 1 : 0}"/>`).join('');
  const place = namesEnds(context) ? 'r' : 't';
  return `<c:dLbl><c:idx val="${last}"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${writeText('tx1', 1_400, true)}<c:dLblPos val="${place}"/>${parts}</c:dLbl>`;
}

/** The longest name at the end of a line, as a part of the width. */
export function shareOfNames({ plan: { series }, frame }: ChartContext): number {
  const longest = Math.max(...series.map(({ name }) => textWidth(name, true))) * 19 + 24;
  return Math.min(longest / frame.width, 0.35);
}

/** How a number is written at its point: steps of a waterfall say whether they add or take. */
function formatOf({ paint }: NativeSeries, { record: { spec }, plan }: ChartContext): string {
  const format = describeNumbers(spec.unit);
  if (!plan.isWaterfall || typeof paint === 'number') return format;
  return `"${paint === 'bad' ? '\u2212' : '+'}"${format}`;
}

/** Numbers in bars of a waterfall; those that are lower than a line would be white on the ground, so they are dark. */
function writeLowNumbers({ values, paint }: NativeSeries, context: ChartContext, format: string): string {
  if (!context.plan.isWaterfall || paint === 'ground') return '';
  const [base, ...bars] = context.plan.series;
  const tops = context.record.labels.map((_, at) =>
    bars.reduce((sum, one) => sum + (one.values[at] ?? 0), base?.values[at] ?? 0),
  );
  const pixels = (context.frame.height * 0.8) / Math.max(...tops, Number.MIN_VALUE);
  const isLow = (value: number | null) => value !== null && value * pixels < 18;
  return values
    .map((value, at) =>
      isLow(value)
        ? `<c:dLbl><c:idx val="${at}"/>${format}<c:spPr><a:noFill/></c:spPr>${writeText('tx1', 1_400, true)}<c:dLblPos val="ctr"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbl>`
        : '',
    )
    .join('');
}

function writeLabels(series: NativeSeries, context: ChartContext): string {
  const { record, plan } = context;
  const isRound = isRoundChart(context);
  const show = (part: string, isShown: boolean) => `<c:show${part} val="${isShown ? 1 : 0}"/>`;
  const hasNumbers = isRound ? record.labels.length <= 8 : fitsNumbers(context);
  const isShown = hasNumbers && series.paint !== 'ground' && series.paint !== 'reference';
  const code = isRound ? '0%' : formatOf(series, context);
  const format = `<c:numFmt formatCode="${escapeMarkup(code)}" sourceLinked="0"/>`;
  const places = { bar: plan.isWaterfall ? 'ctr' : 'outEnd', line: 't' };
  const side = series.form === 'bar' || series.form === 'line' ? `<c:dLblPos val="${places[series.form]}"/>` : '';
  const isInside = isRound || plan.isWaterfall;
  const look = isShown
    ? `${format}<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${writeText(isInside ? 'bg1' : 'tx1', 1_400, isInside)}${side}`
    : '';
  const own = `${writeEndName(series, context)}${isShown ? writeLowNumbers(series, context, format) : ''}`;
  return `<c:dLbls>${own}${look}${show('LegendKey', false)}${show('Val', isShown && !isRound)}${show('CatName', false)}${show('SerName', false)}${show('Percent', isShown && isRound)}${show('BubbleSize', false)}</c:dLbls>`;
}

const noMarker = '<c:marker><c:symbol val="none"/></c:marker>';

function writeSeriesLook({ form, paint }: NativeSeries, context: ChartContext): string {
  const { labels } = context.record;
  const fill = fillOf(paint, context);
  if (paint === 'reference') {
    return `<c:spPr><a:ln w="${toUnits(1.5)}">${fill}<a:prstDash val="dash"/></a:ln></c:spPr>${noMarker}`;
  }
  const line = `<a:ln w="${toUnits(3)}" cap="rnd">${fill}<a:round/></a:ln>`;
  const marker = `<c:marker><c:symbol val="${labels.length > 30 ? 'none' : 'circle'}"/><c:size val="7"/><c:spPr>${fill}<a:ln><a:noFill/></a:ln></c:spPr></c:marker>`;
  if (form === 'line' || form === 'radar') return `<c:spPr>${line}</c:spPr>${marker}`;
  if (form === 'bar') return `<c:spPr>${fill}</c:spPr><c:invertIfNegative val="0"/>`;
  if (form === 'area') return `<c:spPr>${fill}</c:spPr>`;
  const border = '<a:ln w="19050"><a:solidFill><a:schemeClr val="bg1"/></a:solidFill></a:ln>';
  return labels
    .map(
      (_, slice) =>
        `<c:dPt><c:idx val="${slice}"/><c:bubble3D val="0"/><c:spPr>${fillOf(slice, context)}${border}</c:spPr></c:dPt>`,
    )
    .join('');
}

/** A series with its numbers, `at` its place in the workbook. */
export function writeSeries(at: number, context: ChartContext): string {
  const { labels } = context.record;
  const series = context.plan.series[at];
  if (!series) return '';
  const column = nameColumn(at + 1);
  const last = labels.length + 1;
  const title = `<c:tx>${writeTexts([series.name || `Series ${at + 1}`], `Sheet1!$${column}$1`)}</c:tx>`;
  const category = `<c:cat>${writeTexts(labels, `Sheet1!$A$2:$A$${last}`)}</c:cat>`;
  const value = `<c:val>${writeNumbers(
    labels.map((_, index) => series.values[index] ?? null),
    `Sheet1!$${column}$2:$${column}$${last}`,
  )}</c:val>`;
  const end = series.form === 'line' ? '<c:smooth val="0"/>' : '';
  return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/>${title}${writeSeriesLook(series, context)}${writeLabels(series, context)}${category}${value}${end}</c:ser>`;
}
