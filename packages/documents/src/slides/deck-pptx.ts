import pptxgen from 'pptxgenjs';
import { planNativeChart } from '../charts/native-chart.ts';
import type { Run } from '../content/blocks.ts';
import { coverText } from '../fonts/font-coverage.ts';
import { listChartTexts } from '../charts/chart-generator.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';
import { drawSceneChart } from './deck-chart.ts';
import { setLanguage } from './deck-language.ts';
import { addNativeChart } from './deck-pptx-chart.ts';
import { bulletIndent, type Element, type Frame, lineHeight, type Paragraph, type Scene } from './deck-scene.ts';
import type { DeckTheme } from './deck-themes.ts';

// Its types describe the CommonJS form, with the class as a property; loaded as a module, it is the class itself.
const Presentation = 'default' in pptxgen ? pptxgen.default : (pptxgen as unknown as typeof import('pptxgenjs').default);

type Slide = pptxgen.default.Slide;

const fontFace = 'Liberation Sans';
/** Units to points. */
const point = 0.75;

function inches({ x, y, width, height }: Frame) {
  return { x: x / 96, y: y / 96, w: width / 96, h: height / 96 };
}

function hex(color: string): string {
  return color.slice(1).toUpperCase();
}

function describeRun(run: Run, paragraph: Paragraph, theme: DeckTheme): pptxgen.default.TextPropsOptions {
  return {
    fontSize: paragraph.size * point,
    color: hex(paragraph.color),
    bold: run.isBold || paragraph.isBold === true,
    italic: run.isItalic || paragraph.isItalic === true,
    ...(run.isStruck ? { strike: 'sngStrike' as const } : {}),
    ...(run.isCode ? { fontFace: 'Liberation Mono' } : {}),
    ...(run.link ? { hyperlink: { url: run.link }, color: hex(theme.accent) } : {}),
  };
}

/** A paragraph's runs; paragraph options are set on the first, the line break on the last. */
function writeParagraph(paragraph: Paragraph, isFirst: boolean, isLast: boolean, theme: DeckTheme): pptxgen.default.TextProps[] {
  const { runs, bulletLevel, spaceBefore = 0, size } = paragraph;
  const pieces = runs.flatMap((run) => run.text.split('\n').map((text, at) => ({ ...run, text, isBroken: at > 0 })));
  return pieces.map((run, at) => ({
    text: run.text,
    options: {
      ...describeRun(run, paragraph, theme),
      ...(run.isBroken ? { softBreakBefore: true } : {}),
      ...(bulletLevel === undefined ? {} : { bullet: { indent: bulletIndent * point * 0.8 }, indentLevel: bulletLevel }),
      paraSpaceBefore: isFirst ? 0 : spaceBefore * point,
      lineSpacing: Math.round(size * point * lineHeight * 10) / 10,
      ...(at === pieces.length - 1 && !isLast ? { breakLine: true } : {}),
    },
  }));
}

function addText(
  slide: Slide,
  { frame, paragraphs, align = 'left', anchor = 'top' }: Extract<Element, { kind: 'text' }>,
  theme: DeckTheme,
): void {
  const texts = paragraphs.flatMap((paragraph, at) => writeParagraph(paragraph, at === 0, at === paragraphs.length - 1, theme));
  const options = { ...inches(frame), align, valign: anchor, margin: 0, fontFace, fit: 'none' as const, wrap: true };
  slide.addText(texts, options);
}

function addTable(
  slide: Slide,
  { frame, columns, rows, widths, rowHeight, size }: Extract<Element, { kind: 'table' }>,
  theme: DeckTheme,
): void {
  const line = { type: 'solid' as const, pt: 0.75, color: hex(theme.line) };
  const none = { type: 'none' as const };
  const write =
    (isHead: boolean) =>
    (cell: { text: string; isRight: boolean }): pptxgen.default.TableCell => ({
      text: cell.text,
      options: {
        align: cell.isRight ? 'right' : 'left',
        bold: isHead,
        color: hex(isHead ? theme.strong : theme.text),
        border: [none, none, line, none],
        ...(isHead ? { fill: { color: hex(theme.panel) } } : {}),
      },
    });
  const cells = [columns.map(write(true)), ...rows.map((row) => row.map(write(false)))];
  slide.addTable(cells, {
    ...inches({ ...frame, height: rowHeight * cells.length }),
    colW: widths.map((width) => width / 96),
    rowH: cells.map(() => rowHeight / 96),
    fontFace,
    fontSize: size * point,
    valign: 'middle',
    margin: [2, 10, 2, 10],
  });
}

function addPicture(slide: Slide, frame: Frame, bytes: Uint8Array, type: string, altText: string): void {
  slide.addImage({ ...inches(frame), data: `${type};base64,${Buffer.from(bytes).toString('base64')}`, altText });
}

function addElement(slide: Slide, element: Element, theme: DeckTheme): void {
  switch (element.kind) {
    case 'box': {
      const { frame, fill, radius } = element;
      const shape = radius ? 'roundRect' : 'rect';
      const rounding = radius ? { rectRadius: radius / 96 } : {};
      slide.addShape(shape, { ...inches(frame), fill: { color: hex(fill) }, line: { type: 'none' }, ...rounding });
      return;
    }
    case 'text':
      return addText(slide, element, theme);
    case 'table':
      return addTable(slide, element, theme);
    case 'image': {
      const { bytes, format } = element.picture;
      return addPicture(slide, element.frame, bytes, format === 'png' ? 'image/png' : 'image/jpeg', element.description);
    }
    case 'chart': {
      const { spec, data, frame } = element;
      const plan = planNativeChart(spec, data);
      if (plan) return addNativeChart(slide, spec, plan, data.labels, inches(frame), theme);
      const { extraFiles } = coverText(listChartTexts(spec, data), 'Write them in other letters.');
      const picture = rasterSvg(drawSceneChart(element, theme), 2, extraFiles);
      return addPicture(slide, frame, picture, 'image/png', spec.title || 'Chart');
    }
  }
}

/** A PowerPoint deck: texts, tables and most charts stay editable. */
export async function makeDeckPptx(
  title: string,
  author: string,
  scenes: readonly Scene[],
  theme: DeckTheme,
  language: string,
): Promise<Uint8Array> {
  const deck = new Presentation();
  deck.defineLayout({ name: 'wide', width: 1280 / 96, height: 720 / 96 });
  deck.layout = 'wide';
  deck.title = title;
  deck.author = author || 'Errand';
  deck.company = '';
  deck.theme = { headFontFace: fontFace, bodyFontFace: fontFace };
  for (const scene of scenes) {
    const slide = deck.addSlide();
    slide.background = { color: hex(scene.ground) };
    for (const element of scene.elements) addElement(slide, element, theme);
    if (scene.notes !== '') slide.addNotes(scene.notes);
  }
  return setLanguage((await deck.write({ outputType: 'uint8array', compression: true })) as Uint8Array, language);
}
