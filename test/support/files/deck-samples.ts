import { contentTypes, office, partOf, type Parts, relationships } from './office-samples.ts';

const slides = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const slideType = 'application/vnd.openxmlformats-officedocument.presentationml';
const deckSpaces = `xmlns:a="${drawing}" xmlns:r="${office}" xmlns:p="${slides}"`;
const groupHead =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';
const masterEnd =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483660" r:id="rId1"/></p:sldLayoutIdLst>';
const frame = (y: number) => `<a:off x="600000" y="${y}"/><a:ext cx="6000000" cy="1000000"/>`;

function textBox(id: number, runs: string): string {
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>${frame(id * 500_000)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p>${runs}</a:p></p:txBody></p:sp>`;
}

function slideRun(text: string, bold = false): string {
  return `<a:r><a:rPr lang="en"${bold ? ' b="1"' : ''}/><a:t>${text}</a:t></a:r>`;
}

function slideMarkup(shapes: string, kind = 'sld'): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<p:${kind} ${deckSpaces}><p:cSld><p:spTree>${groupHead}${shapes}</p:spTree></p:cSld>${kind === 'sldMaster' ? masterEnd : ''}</p:${kind}>`;
}

function tableMarkup(): string {
  const row = (...texts: string[]) =>
    `<a:tr h="300000">${texts.map((text) => `<a:tc><a:txBody><a:bodyPr/><a:p>${slideRun(text)}</a:p></a:txBody><a:tcPr/></a:tc>`).join('')}</a:tr>`;
  const rows = `${row('Item', 'Price')}${row('{{#items}}{{name}}', '{{price}}{{/items}}')}`;
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="7" name="Table"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${frame(3_000_000)}</p:xfrm><a:graphic><a:graphicData uri="${drawing.replace('main', 'table')}"><a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="3000000"/><a:gridCol w="3000000"/></a:tblGrid>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

function themeMarkup(): string {
  const scheme = [
    'dk1',
    'lt1',
    'dk2',
    'lt2',
    'accent1',
    'accent2',
    'accent3',
    'accent4',
    'accent5',
    'accent6',
    'hlink',
    'folHlink',
  ];
  const colors = scheme.map((name, at) => `<a:${name}><a:srgbClr val="${at % 2 ? 'FFFFFF' : '000000'}"/></a:${name}>`).join('');
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const fonts = ['majorFont', 'minorFont'].map(
    (name) => `<a:${name}><a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}>`,
  );
  const effects = '<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3);
  return `<a:theme xmlns:a="${drawing}" name="Plain"><a:themeElements><a:clrScheme name="Plain">${colors}</a:clrScheme><a:fontScheme name="Plain">${fonts.join('')}</a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${`<a:ln>${fill}</a:ln>`.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effects}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture = `<p:pic><p:nvPicPr><p:cNvPr id="9" name="Logo" descr="The logo"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId2"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;
const link = '<a:r><a:rPr><a:hlinkClick r:id="rId3" action="ppaction://hlinksldjump"/></a:rPr><a:t>Go on</a:t></a:r>';
const sections = `<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="All" id="{6C2E5B6E-5A6F-4E65-9B0E-6B1D3F1A0001}"><p14:sldIdLst><p14:sldId id="256"/><p14:sldId id="257"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>`;
const types = contentTypes({
  'ppt/presentation.xml': `${slideType}.presentation.main+xml`,
  'ppt/slides/slide1.xml': `${slideType}.slide+xml`,
  'ppt/slides/slide2.xml': `${slideType}.slide+xml`,
  'ppt/notesSlides/notesSlide1.xml': `${slideType}.notesSlide+xml`,
  'ppt/slideLayouts/slideLayout1.xml': `${slideType}.slideLayout+xml`,
  'ppt/slideMasters/slideMaster1.xml': `${slideType}.slideMaster+xml`,
  'ppt/theme/theme1.xml': 'application/vnd.openxmlformats-officedocument.theme+xml',
  'ppt/media/image1.png': 'image/png',
});
const layout = '../slideLayouts/slideLayout1.xml';

/** Two slides: one with a picture and a link to the second, which has a table, notes, and a part of its own. */
export function deckParts(more: Parts = {}): Parts {
  return {
    '[Content_Types].xml': types,
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `<p:presentation ${deckSpaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId3"/></p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/><p:notesSz cx="6858000" cy="9144000"/>${sections}</p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([
      ['rId1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
      ['rId2', 'slide', 'slides/slide1.xml'],
      ['rId3', 'slide', 'slides/slide2.xml'],
      ['rId4', 'theme', 'theme/theme1.xml'],
    ]),
    'ppt/slides/slide1.xml': slideMarkup(textBox(2, `${slideRun('Wel')}${slideRun('come', true)}`) + textBox(5, link) + picture),
    'ppt/slides/_rels/slide1.xml.rels': relationships([
      ['rId1', 'slideLayout', layout],
      ['rId2', 'image', '../media/image1.png'],
      ['rId3', 'slide', 'slide2.xml'],
    ]),
    'ppt/slides/slide2.xml': slideMarkup(textBox(2, slideRun('Sales in {{city}}')) + tableMarkup()),
    'ppt/slides/_rels/slide2.xml.rels': relationships([
      ['rId1', 'slideLayout', layout],
      ['rId2', 'notesSlide', '../notesSlides/notesSlide1.xml'],
      ['rId3', 'tags', '../tags/tag1.xml'],
    ]),
    'ppt/tags/tag1.xml': `<p:tagLst xmlns:p="${slides}"/>`,
    'ppt/notesSlides/notesSlide1.xml': slideMarkup(textBox(2, slideRun('Say: {{city}}')), 'notes'),
    'ppt/notesSlides/_rels/notesSlide1.xml.rels': relationships([['rId1', 'slide', '../slides/slide2.xml']]),
    'ppt/slideLayouts/slideLayout1.xml': slideMarkup('', 'sldLayout'),
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([['rId1', 'slideMaster', '../slideMasters/slideMaster1.xml']]),
    'ppt/slideMasters/slideMaster1.xml': slideMarkup('', 'sldMaster'),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['rId1', 'slideLayout', layout],
      ['rId2', 'theme', '../theme/theme1.xml'],
    ]),
    'ppt/theme/theme1.xml': themeMarkup(),
    'ppt/media/image1.png': onePixel,
    ...more,
  };
}

/** The text of each slide in the order in which they are shown. */
export function slidesOf(bytes: Uint8Array): string[] {
  const relations = partOf(bytes, 'ppt/_rels/presentation.xml.rels').matchAll(/Id="([^"]+)"[^>]*Target="([^"]+)"/g);
  const targets = new Map([...relations].map(([, id, target]) => [id, target]));
  return [...partOf(bytes, 'ppt/presentation.xml').matchAll(/<p:sldId [^>]*r:id="([^"]+)"/g)].map(([, id]) =>
    [...partOf(bytes, `ppt/${targets.get(id)}`).matchAll(/<a:p>.*?<\/a:p>/gs)]
      .map(([whole]) => whole.replaceAll(/<a:br>.*?<\/a:br>/g, '|').replaceAll(/<[^>]+>/g, ''))
      .join('; '),
  );
}
