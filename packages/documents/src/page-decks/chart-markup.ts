import { cleanLine, escapeMarkup } from '../clean-text.ts';
import type { ChartRecord } from '../charts/chart-record.ts';
import { textWidth } from '../fonts/text-width.ts';
import { describeNumbers, isNativeChart } from '../slides/deck-pptx-chart.ts';
import { writeCategoryAxis, writeText, writeValueAxis } from './chart-axes-markup.ts';
import { attribute, type ThemeColors, toUnits, writeColor, xmlHead } from './drawing-markup.ts';
import type { PageFrame } from './page-deck-spec.ts';

/** Whether an office has this chart itself. */
export function canWriteChart({ spec, labels, series }: ChartRecord): boolean {
  const full = series.map((one) => ({ ...one, points: [] }));
  return labels.length > 0 && isNativeChart(spec, { labels, series: full });
}

interface ChartContext {
  record: ChartRecord;
  frame: PageFrame;
  theme: ThemeColors;
}

function nameColumn(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : `${nameColumn(Math.floor(at / 26) - 1)}${nameColumn(at % 26)}`;
}

/** The colors that were asked for, otherwise those of the theme in order. */
function fillOf(at: number, { record, theme }: ChartContext): string {
  const own = record.colors[at]?.toLowerCase() ?? `chart-${(at % 6) + 1}`;
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

/** Whether the numbers fit beside each other. */
function fitsNumbers({ record, frame }: ChartContext): boolean {
  const { spec, labels, series } = record;
  const bars = labels.length * (spec.stacked ? 1 : series.length);
  const longest = Math.max(
    1,
    ...series.flatMap(({ values }) => values.map((value) => String(value ?? '').length + spec.unit.length)),
  );
  const length = spec.horizontal ? frame.height : frame.width;
  if (spec.type === 'bar') return !spec.stacked && (length * 0.6) / bars >= (spec.horizontal ? 20 : longest * 10);
  return spec.type === 'line' && series.length === 1 && (length * 0.85) / labels.length >= longest * 12;
}

/** Whether lines have their names at their ends, in place of a legend. */
function namesEnds({ spec, labels, series }: ChartRecord): boolean {
  return spec.type === 'line' && !spec.stacked && series.length > 1 && series.length <= 6 && labels.length > 1;
}

/** The name of a line at its last number. */
function writeEndName(at: number, context: ChartContext): string {
  const { labels, series } = context.record;
  const last = labels.findLastIndex((_, index) => (series[at]?.values[index] ?? null) !== null);
  if (!namesEnds(context.record) || last < 0) return '';
  const shown = ['LegendKey', 'Val', 'CatName', 'SerName', 'Percent', 'BubbleSize'];
  const parts = shown.map((part) => `<c:show${part} val="${part === 'SerName' ? 1 : 0}"/>`).join('');
  return `<c:dLbl><c:idx val="${last}"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${writeText('tx1', 1_400, true)}<c:dLblPos val="r"/>${parts}</c:dLbl>`;
}

/** The longest name at the end of a line, as a part of the width. */
function shareOfNames({ record: { series }, frame }: ChartContext): number {
  const longest = Math.max(...series.map(({ name }) => textWidth(name, true))) * 19 + 24;
  return Math.min(longest / frame.width, 0.35);
}

function writeLayout(context: ChartContext): string {
  if (!namesEnds(context.record)) return '<c:layout/>';
  const [x, y, w, h] = [0.02, 0.05, 0.96 - shareOfNames(context), 0.9];
  const places = `<c:x val="${x}"/><c:y val="${y}"/><c:w val="${w.toFixed(3)}"/><c:h val="${h}"/>`;
  return `<c:layout><c:manualLayout><c:layoutTarget val="outer"/><c:xMode val="edge"/><c:yMode val="edge"/>${places}</c:manualLayout></c:layout>`;
}

function writeLabels(at: number, context: ChartContext): string {
  const { spec, labels } = context.record;
  const isRound = spec.type === 'pie' || spec.type === 'donut';
  const show = (part: string, isShown: boolean) => `<c:show${part} val="${isShown ? 1 : 0}"/>`;
  const isShown = isRound ? labels.length <= 8 : fitsNumbers(context);
  const format = isRound ? '0%' : describeNumbers(spec.unit);
  const place = spec.type === 'bar' ? '<c:dLblPos val="outEnd"/>' : spec.type === 'line' ? '<c:dLblPos val="t"/>' : '';
  const look = isShown
    ? `<c:numFmt formatCode="${escapeMarkup(format)}" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${writeText(isRound ? 'bg1' : 'tx1', 1_400, isRound)}${place}`
    : '';
  return `<c:dLbls>${writeEndName(at, context)}${look}${show('LegendKey', false)}${show('Val', isShown && !isRound)}${show('CatName', false)}${show('SerName', false)}${show('Percent', isShown && isRound)}${show('BubbleSize', false)}</c:dLbls>`;
}

function writeSeriesLook(at: number, context: ChartContext): string {
  const fill = fillOf(at, context);
  const { type } = context.record.spec;
  const line = `<a:ln w="${toUnits(3)}" cap="rnd">${fill}<a:round/></a:ln>`;
  const marker = `<c:marker><c:symbol val="${context.record.labels.length > 30 ? 'none' : 'circle'}"/><c:size val="7"/><c:spPr>${fill}<a:ln><a:noFill/></a:ln></c:spPr></c:marker>`;
  if (type === 'line' || type === 'radar') return `<c:spPr>${line}</c:spPr>${marker}`;
  if (type === 'bar') return `<c:spPr>${fill}</c:spPr><c:invertIfNegative val="0"/>`;
  if (type === 'area') return `<c:spPr>${fill}</c:spPr>`;
  const border = '<a:ln w="19050"><a:solidFill><a:schemeClr val="bg1"/></a:solidFill></a:ln>';
  return context.record.labels
    .map(
      (_, slice) =>
        `<c:dPt><c:idx val="${slice}"/><c:bubble3D val="0"/><c:spPr>${fillOf(slice, context)}${border}</c:spPr></c:dPt>`,
    )
    .join('');
}

function writeSeries(at: number, context: ChartContext): string {
  const { labels, series, spec } = context.record;
  const { name = '', values = [] } = series[at] ?? {};
  const column = nameColumn(at + 1);
  const last = labels.length + 1;
  const title = `<c:tx>${writeTexts([name || `Series ${at + 1}`], `Sheet1!$${column}$1`)}</c:tx>`;
  const category = `<c:cat>${writeTexts(labels, `Sheet1!$A$2:$A$${last}`)}</c:cat>`;
  const value = `<c:val>${writeNumbers(
    labels.map((_, index) => values[index] ?? null),
    `Sheet1!$${column}$2:$${column}$${last}`,
  )}</c:val>`;
  const end = spec.type === 'line' ? '<c:smooth val="0"/>' : '';
  return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/>${title}${writeSeriesLook(at, context)}${writeLabels(at, context)}${category}${value}${end}</c:ser>`;
}

const axes = '<c:axId val="1"/><c:axId val="2"/>';

function writePlot(context: ChartContext): string {
  const { spec, series } = context.record;
  const isRound = spec.type === 'pie' || spec.type === 'donut';
  const shown = (isRound ? series.slice(0, 1) : series).map((_, at) => writeSeries(at, context)).join('');
  const grouping = spec.stacked ? 'stacked' : 'standard';
  const plain = '<c:varyColors val="0"/>';
  switch (spec.type) {
    case 'line':
      return `<c:lineChart><c:grouping val="${grouping}"/>${plain}${shown}<c:marker val="1"/>${axes}</c:lineChart>`;
    case 'area':
      return `<c:areaChart><c:grouping val="${grouping}"/>${plain}${shown}${axes}</c:areaChart>`;
    case 'radar':
      return `<c:radarChart><c:radarStyle val="marker"/>${plain}${shown}${axes}</c:radarChart>`;
    case 'pie':
      return `<c:pieChart><c:varyColors val="1"/>${shown}<c:firstSliceAng val="0"/></c:pieChart>`;
    case 'donut':
      return `<c:doughnutChart><c:varyColors val="1"/>${shown}<c:firstSliceAng val="0"/><c:holeSize val="58"/></c:doughnutChart>`;
    default: {
      const bars = spec.stacked ? 'stacked' : 'clustered';
      return `<c:barChart><c:barDir val="${spec.horizontal ? 'bar' : 'col'}"/><c:grouping val="${bars}"/>${plain}${shown}<c:gapWidth val="55"/><c:overlap val="${spec.stacked ? 100 : -6}"/>${axes}</c:barChart>`;
    }
  }
}

function writeTitle({ spec }: ChartRecord): string {
  const title = [spec.title, spec.subtitle]
    .map(cleanLine)
    .filter((part) => part !== '')
    .join(' – ');
  if (title === '') return '<c:autoTitleDeleted val="1"/>';
  const run = `<a:r><a:rPr lang="en-US" sz="1500" b="1"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:rPr><a:t>${escapeMarkup(title)}</a:t></a:r>`;
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p>${run}</a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>`;
}

/** How far the bars, lines, or stacks of a chart reach. */
function listReach({ spec, labels, series }: ChartRecord): number[] {
  if (!spec.stacked) return series.flatMap(({ values }) => values.filter((value) => value !== null));
  return labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
}

/** A chart with its numbers; `rId1` is its workbook. */
export function writeChart(context: ChartContext): string {
  const { spec, series } = context.record;
  const isRound = spec.type === 'pie' || spec.type === 'donut';
  const both = isRound
    ? ''
    : `${writeCategoryAxis(spec)}${writeValueAxis(spec, spec.type === 'bar' && fitsNumbers(context), listReach(context.record))}`;
  const legend = `<c:legend><c:legendPos val="${isRound ? 'r' : 't'}"/><c:overlay val="0"/>${writeText('tx2', 1_400)}</c:legend>`;
  const chart = `<c:chart>${writeTitle(context.record)}<c:plotArea>${writeLayout(context)}${writePlot(context)}${both}</c:plotArea>${isRound || (series.length > 1 && !namesEnds(context.record)) ? legend : ''}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>`;
  return `${xmlHead}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners val="0"/>${chart}<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr><c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`;
}

/** Where a chart stands on its slide. */
export function placeChart(frame: PageFrame, id: number, relation: string, description: string): string {
  const place = `<p:xfrm><a:off x="${toUnits(frame.x)}" y="${toUnits(frame.y)}"/><a:ext cx="${toUnits(frame.width)}" cy="${toUnits(frame.height)}"/></p:xfrm>`;
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Chart ${id}" descr="${attribute(description)}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${place}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="${relation}"/></a:graphicData></a:graphic></p:graphicFrame>`;
}
