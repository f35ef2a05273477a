import { cleanLine, escapeMarkup } from '../clean-text.ts';
import type { ChartRecord } from '../charts/chart-record.ts';
import { type NativeType, planNativeChart } from '../charts/native-chart.ts';
import { writeCategoryAxis, writeText, writeValueAxis } from './chart-axes-markup.ts';
import { type ChartContext, fitsNumbers, namesEnds, shareOfNames, writeSeries } from './chart-series-markup.ts';
import { attribute, toUnits, xmlHead } from './drawing-markup.ts';
import type { PageFrame } from './page-deck-spec.ts';

function writeLayout(context: ChartContext): string {
  if (!namesEnds(context)) return '<c:layout/>';
  const [x, y, w, h] = [0.02, 0.05, 0.96 - shareOfNames(context), 0.9];
  const places = `<c:x val="${x}"/><c:y val="${y}"/><c:w val="${w.toFixed(3)}"/><c:h val="${h}"/>`;
  return `<c:layout><c:manualLayout><c:layoutTarget val="outer"/><c:xMode val="edge"/><c:yMode val="edge"/>${places}</c:manualLayout></c:layout>`;
}

const axes = '<c:axId val="1"/><c:axId val="2"/>';

/** All series of one form. */
function writeForm(form: NativeType, shown: string, { record: { spec }, plan }: ChartContext): string {
  const grouping = plan.isStacked && form === plan.type ? 'stacked' : 'standard';
  const plain = '<c:varyColors val="0"/>';
  switch (form) {
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
    case 'bar': {
      const bars = plan.isStacked ? 'stacked' : 'clustered';
      return `<c:barChart><c:barDir val="${spec.horizontal && !plan.isWaterfall ? 'bar' : 'col'}"/><c:grouping val="${bars}"/>${plain}${shown}<c:gapWidth val="55"/><c:overlap val="${plan.isStacked ? 100 : -6}"/>${axes}</c:barChart>`;
    }
  }
}

const isRound = ({ plan }: ChartContext) => plan.type === 'pie' || plan.type === 'donut';

function writePlot(context: ChartContext): string {
  const series = isRound(context) ? context.plan.series.slice(0, 1) : context.plan.series;
  // Lines lie over what else there is.
  const forms = [...new Set(series.map(({ form }) => form))].toSorted((a, b) => Number(a === 'line') - Number(b === 'line'));
  return forms
    .map((form) => {
      const shown = series.map((one, at) => (one.form === form ? writeSeries(at, context) : '')).join('');
      return writeForm(form, shown, context);
    })
    .join('');
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
function listReach({ record: { labels }, plan }: ChartContext): number[] {
  const stacked = plan.series.filter(({ form }) => plan.isStacked && form === plan.type);
  const single = plan.series.filter((one) => !stacked.includes(one));
  const sums = stacked.length === 0 ? [] : labels.map((_, at) => stacked.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return [...sums, ...single.flatMap(({ values }) => values.filter((value) => value !== null))];
}

/** A waterfall says what its steps are itself, and lines across a chart have their names at their ends. */
function writeLegend(context: ChartContext): string {
  const { series, isWaterfall } = context.plan;
  const named = series.filter(({ paint }) => paint !== 'reference');
  if (isWaterfall || namesEnds(context) || (!isRound(context) && named.length < 2)) return '';
  const left = series.flatMap(({ paint }, at) =>
    paint === 'reference' ? [`<c:legendEntry><c:idx val="${at}"/><c:delete val="1"/></c:legendEntry>`] : [],
  );
  return `<c:legend><c:legendPos val="${isRound(context) ? 'r' : 't'}"/>${left.join('')}<c:overlay val="0"/>${writeText('tx2', 1_400)}</c:legend>`;
}

/** A chart with its numbers; `rId1` is its workbook. */
export function writeChart({ record, ...place }: Omit<ChartContext, 'plan'>): string {
  const plan = planNativeChart(record.spec, record);
  if (plan === null) throw new Error('an office has no such chart');
  const context = { record, plan, ...place };
  const spec = { ...record.spec, type: plan.type, horizontal: record.spec.horizontal && !plan.isWaterfall };
  const saysNumbers = plan.type === 'bar' && fitsNumbers(context);
  const both = isRound(context) ? '' : `${writeCategoryAxis(spec)}${writeValueAxis(spec, saysNumbers, listReach(context))}`;
  const chart = `<c:chart>${writeTitle(record)}<c:plotArea>${writeLayout(context)}${writePlot(context)}${both}</c:plotArea>${writeLegend(context)}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>`;
  return `${xmlHead}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners val="0"/>${chart}<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr><c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`;
}

/** Where a chart stands on its slide. */
export function placeChart(frame: PageFrame, id: number, relation: string, description: string): string {
  const place = `<p:xfrm><a:off x="${toUnits(frame.x)}" y="${toUnits(frame.y)}"/><a:ext cx="${toUnits(frame.width)}" cy="${toUnits(frame.height)}"/></p:xfrm>`;
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Chart ${id}" descr="${attribute(description)}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${place}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="${relation}"/></a:graphicData></a:graphic></p:graphicFrame>`;
}
