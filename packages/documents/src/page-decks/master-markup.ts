import { groupHead, namespaces, writePlace, xmlHead } from './drawing-markup.ts';
import type { PageDeck, PageFrame, PageSlide } from './page-deck-spec.ts';

/** The layouts of a deck in order; slides of every kind refer to one. */
export const layouts: readonly {
  kind: PageSlide['kind'];
  type: string;
  name: string;
  title: 'ctrTitle' | 'title';
  hasSubtitle: boolean;
}[] = [
  { kind: 'title', type: 'title', name: 'Title Slide', title: 'ctrTitle', hasSubtitle: true },
  { kind: 'section', type: 'secHead', name: 'Section Header', title: 'title', hasSubtitle: false },
  { kind: 'content', type: 'titleOnly', name: 'Title Only', title: 'title', hasSubtitle: false },
  { kind: 'picture', type: 'titleOnly', name: 'Picture', title: 'title', hasSubtitle: false },
];

const colorMap =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';

const plainBody = '<a:bodyPr lIns="0" tIns="0" rIns="0" bIns="0"><a:normAutofit/></a:bodyPr><a:lstStyle/>';

function writePlaceholder(id: number, name: string, ph: string, frame: PageFrame | null, text: string): string {
  const place = frame === null ? '' : `${writePlace(frame)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${plainBody}<a:p><a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

const titleText = 'Click to edit the title';
const bodyText = 'Click to edit the text';

/** Where new slides have their title and text; the kit's margins. */
function framesOf({ width, height }: PageDeck) {
  const inner = { x: width / 16, width: width - width / 8 };
  return {
    title: { ...inner, y: height * 0.085, height: height * 0.1 },
    body: { ...inner, y: height * 0.22, height: height * 0.64 },
    opening: { ...inner, y: height * 0.3, height: height * 0.22 },
    subtitle: { ...inner, y: height * 0.56, height: height * 0.14 },
  };
}

function writeLevels(): string {
  return Array.from({ length: 9 }, (_, at) => {
    const indent = 342_900 + at * 342_900;
    return `<a:lvl${at + 1}pPr marL="${indent}" indent="-285750" algn="l" rtl="0"><a:spcBef><a:spcPts val="900"/></a:spcBef><a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="${at === 0 ? 1800 : 1600}"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></a:lvl${at + 1}pPr>`;
  }).join('');
}

/** The slide that all others build upon. */
export function writeMaster(deck: PageDeck): string {
  const frames = framesOf(deck);
  const shapes = `${writePlaceholder(2, 'Title', '<p:ph type="title"/>', frames.title, titleText)}${writePlaceholder(3, 'Text', '<p:ph type="body" idx="1"/>', frames.body, bodyText)}`;
  const ids = layouts.map((_, at) => `<p:sldLayoutId id="${2_147_483_649 + at}" r:id="rId${at + 1}"/>`).join('');
  const title =
    '<p:titleStyle><a:lvl1pPr algn="l" rtl="0"><a:spcBef><a:spcPct val="0"/></a:spcBef><a:buNone/><a:defRPr sz="3300" b="1"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mj-lt"/><a:ea typeface="+mj-ea"/><a:cs typeface="+mj-cs"/></a:defRPr></a:lvl1pPr></p:titleStyle>';
  const styles = `<p:txStyles>${title}<p:bodyStyle>${writeLevels()}</p:bodyStyle><p:otherStyle><a:defPPr><a:defRPr lang="en-US"/></a:defPPr></p:otherStyle></p:txStyles>`;
  return `${xmlHead}<p:sldMaster ${namespaces}><p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree>${groupHead}${shapes}</p:spTree></p:cSld>${colorMap}<p:sldLayoutIdLst>${ids}</p:sldLayoutIdLst>${styles}</p:sldMaster>`;
}

export function writeLayout({ type, name, title, hasSubtitle }: (typeof layouts)[number], deck: PageDeck): string {
  const frames = framesOf(deck);
  const frame = type === 'titleOnly' ? null : frames.opening;
  const subtitle = writePlaceholder(3, 'Subtitle', '<p:ph type="subTitle" idx="1"/>', frames.subtitle, bodyText);
  const shapes = `${writePlaceholder(2, 'Title', `<p:ph type="${title}"/>`, frame, titleText)}${hasSubtitle ? subtitle : ''}`;
  return `${xmlHead}<p:sldLayout ${namespaces} type="${type}" preserve="1"><p:cSld name="${name}"><p:spTree>${groupHead}${shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`;
}

const noteFrames = { slide: { x: 72, y: 96, width: 576, height: 324 }, text: { x: 72, y: 456, width: 576, height: 408 } };
const notePicture = (id: number) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Slide Image"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr><p:spPr>${writePlace(noteFrames.slide)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:sp>`;

export const notesSize = { width: 720, height: 960 } as const;

export function writeNotesMaster(): string {
  const text = writePlaceholder(3, 'Notes', '<p:ph type="body" sz="quarter" idx="3"/>', noteFrames.text, bodyText);
  return `${xmlHead}<p:notesMaster ${namespaces}><p:cSld><p:bg><p:bgPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree>${groupHead}${notePicture(2)}${text}</p:spTree></p:cSld>${colorMap}</p:notesMaster>`;
}

/** @param paragraphs markup of the notes */
export function writeNotes(paragraphs: string): string {
  const text = `<p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" sz="quarter" idx="3"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`;
  return `${xmlHead}<p:notes ${namespaces}><p:cSld><p:spTree>${groupHead}${notePicture(2)}${text}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`;
}
