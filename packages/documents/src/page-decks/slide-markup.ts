import {
  attribute,
  groupHead,
  namespaces,
  type ThemeColors,
  toUnits,
  writeColor,
  writeFill,
  writeLine,
  writePlace,
  xmlHead,
} from './drawing-markup.ts';
import type { PageBox, PageElement, PagePicture, PageSlide, PageText } from './page-deck-spec.ts';
import { placeChart } from './chart-markup.ts';
import { writeTable } from './table-markup.ts';
import { type TextContext, writeParagraphs } from './text-markup.ts';

export interface SlideContext extends TextContext {
  /** The id of the slide's relationship to a picture; null for one that cannot be shown. */
  pictureAt(path: string): string | null;
  /** The id of its relationship to a chart of its own; null for a picture that is none. */
  chartAt(picture: PagePicture): string | null;
}

function writeShadow({ shadow }: PageBox, theme: ThemeColors): string {
  if (!shadow) return '';
  const distance = toUnits(Math.hypot(shadow.x, shadow.y));
  const angle = Math.round((((Math.atan2(shadow.y, shadow.x) * 180) / Math.PI + 360) % 360) * 60_000);
  return `<a:effectLst><a:outerShdw blurRad="${toUnits(shadow.blur)}" dist="${distance}" dir="${angle}" algn="ctr" rotWithShape="0">${writeColor(shadow.color, theme)}</a:outerShdw></a:effectLst>`;
}

function writeGeometry({ frame, radius }: PageBox): string {
  const shorter = Math.min(frame.width, frame.height);
  if (radius <= 0 || shorter <= 0) return '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>';
  if (radius >= shorter / 2 - 0.5 && Math.abs(frame.width - frame.height) < 1)
    return '<a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom>';
  const part = Math.round(Math.min(0.5, radius / shorter) * 100_000);
  return `<a:prstGeom prst="roundRect"><a:avLst><a:gd name="adj" fmla="val ${part}"/></a:avLst></a:prstGeom>`;
}

function writeBox(box: PageBox, id: number, { theme }: SlideContext): string {
  const look = `${writePlace(box.frame)}${writeGeometry(box)}${writeFill(box.fill, theme)}${writeLine(box.line, theme)}${writeShadow(box, theme)}`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Box ${id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>${look}</p:spPr></p:sp>`;
}

/** What a text is to the slide's layout: its title makes the outline. */
function writeRole(role: PageText['role'], kind: PageSlide['kind']): string {
  if (role === 'title' && kind === 'title') return '<p:ph type="ctrTitle"/>';
  if (role === 'subtitle' && kind === 'title') return '<p:ph type="subTitle" idx="1"/>';
  return role === 'title' ? '<p:ph type="title"/>' : '';
}

/** The number of the slide stays right when slides are moved. */
function writeNumber(text: string, index: number): string {
  const [, before = '', after = ''] = new RegExp(`^(.*?)<a:r>(.*?)<a:t>${index + 1}</a:t></a:r>`, 's').exec(text) ?? [];
  if (before === '') return text;
  const field = `<a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="slidenum">${after}<a:t>${index + 1}</a:t></a:fld>`;
  return text.replace(`${before}<a:r>${after}<a:t>${index + 1}</a:t></a:r>`, () => `${before}${field}`);
}

function writeText(
  { frame, role, paragraphs }: PageText,
  id: number,
  context: SlideContext,
  slide: PageSlide,
  index: number,
): string {
  const ph = writeRole(role, slide.kind);
  const name = ph === '' ? 'Text' : role === 'title' ? 'Title' : 'Subtitle';
  const body =
    '<a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="0" anchor="t"><a:noAutofit/></a:bodyPr><a:lstStyle/>';
  const written = writeParagraphs(paragraphs, context, role === 'title');
  const text = role === 'number' ? writeNumber(written, index) : written;
  const shape = `${writePlace(frame)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>`;
  const lock = ph === '' ? '<p:cNvSpPr txBox="1"/>' : '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>';
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name} ${id}"/>${lock}<p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr>${shape}</p:spPr><p:txBody>${body}${text}</p:txBody></p:sp>`;
}

function writePicture(picture: PagePicture, id: number, context: SlideContext): string {
  const { frame, path, description } = picture;
  const chart = context.chartAt(picture);
  if (chart !== null) return placeChart(frame, id, chart, description);
  const relation = context.pictureAt(path);
  if (relation === null) return '';
  return `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Picture ${id}" descr="${attribute(description)}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${writePlace(frame)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;
}

function writeElement(element: PageElement, id: number, context: SlideContext, slide: PageSlide, index: number): string {
  switch (element.kind) {
    case 'box':
      return writeBox(element, id, context);
    case 'text':
      return writeText(element, id, context, slide, index);
    case 'table':
      return writeTable(element, id, context);
    case 'picture':
      return writePicture(element, id, context);
  }
}

function writeGround({ ground, groundPicture }: PageSlide, context: SlideContext): string {
  const relation = groundPicture === null ? null : context.pictureAt(groundPicture);
  const picture = `<a:blipFill dpi="0" rotWithShape="1"><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></a:blipFill>`;
  const fill = relation === null ? writeFill(ground ?? { color: '#ffffffff' }, context.theme) : picture;
  return `<p:bg><p:bgPr>${fill}<a:effectLst/></p:bgPr></p:bg>`;
}

/** A slide as the part of a presentation. */
export function writeSlide(slide: PageSlide, index: number, context: SlideContext): string {
  const shapes = slide.elements.map((element, at) => writeElement(element, at + 2, context, slide, index)).join('');
  return `${xmlHead}<p:sld ${namespaces}><p:cSld>${writeGround(slide, context)}<p:spTree>${groupHead}${shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
}
