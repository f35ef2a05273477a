import { cleanLine, escapeMarkup } from '../clean-text.ts';
import type { ChartSpec } from '../charts/chart-spec.ts';
import { describeNumbers } from '../slides/deck-pptx-chart.ts';

/** The look of texts of a chart, in a color of the theme. */
export function writeText(color: string, size: number, isBold = false): string {
  return `<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="${size}" b="${isBold ? 1 : 0}"><a:solidFill><a:schemeClr val="${color}"/></a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`;
}

function writeAxisTitle(text: string): string {
  const clean = cleanLine(text);
  if (clean === '') return '';
  const run = `<a:r><a:rPr lang="en-US" sz="1200" b="0"><a:solidFill><a:schemeClr val="tx2"/></a:solidFill></a:rPr><a:t>${escapeMarkup(clean)}</a:t></a:r>`;
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p>${run}</a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
}

const noLine = '<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>';
const thinLine = (color: string, alpha: number) =>
  `<c:spPr><a:ln w="9525"><a:solidFill><a:schemeClr val="${color}"><a:alpha val="${alpha}"/></a:schemeClr></a:solidFill></a:ln></c:spPr>`;
const ticks = '<c:majorTickMark val="none"/><c:minorTickMark val="none"/>';

/** Bars that lie begin at the top. */
export function writeCategoryAxis(spec: ChartSpec): string {
  const isLying = spec.type === 'bar' && spec.horizontal;
  const start = `<c:axId val="1"/><c:scaling><c:orientation val="${isLying ? 'maxMin' : 'minMax'}"/></c:scaling><c:delete val="0"/><c:axPos val="${isLying ? 'l' : 'b'}"/>`;
  const look = `<c:numFmt formatCode="General" sourceLinked="0"/>${ticks}<c:tickLblPos val="low"/>${thinLine('tx2', 70_000)}${writeText('tx1', 1_400)}`;
  return `<c:catAx>${start}${writeAxisTitle(spec.x_title)}${look}<c:crossAx val="2"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>`;
}

/** A round step that makes four to six lines; programs draw twice as many. */
function chooseStep(values: readonly number[]): string {
  const span = Math.max(0, ...values) - Math.min(0, ...values);
  if (span <= 0) return '';
  const size = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * size).find((each) => span / each <= 5.2) ?? size * 10;
  return `<c:majorUnit val="${Number(step.toPrecision(6))}"/>`;
}

/**
 * @param isHidden the bars say their numbers themselves
 * @param values how far bars and lines reach
 */
export function writeValueAxis(spec: ChartSpec, isHidden: boolean, values: readonly number[]): string {
  const isLying = spec.type === 'bar' && spec.horizontal;
  const lines = `<c:majorGridlines>${thinLine('tx2', 25_000)}</c:majorGridlines>`;
  const start = `<c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="${isHidden ? 1 : 0}"/><c:axPos val="${isLying ? 'b' : 'l'}"/>${isHidden ? '' : lines}`;
  const look = `<c:numFmt formatCode="${escapeMarkup(describeNumbers(spec.unit))}" sourceLinked="0"/>${ticks}<c:tickLblPos val="nextTo"/>${noLine}${writeText('tx2', 1_400)}`;
  const between = spec.type === 'area' ? 'midCat' : 'between';
  return `<c:valAx>${start}${writeAxisTitle(spec.y_title)}${look}<c:crossAx val="1"/><c:crosses val="${isLying ? 'max' : 'autoZero'}"/><c:crossBetween val="${between}"/>${isHidden ? '' : chooseStep(values)}</c:valAx>`;
}
