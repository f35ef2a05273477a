import { zipSync, type Zippable } from 'fflate';
import { cleanText, escapeMarkup } from '../clean-text.ts';
import type { ChartRecord } from '../charts/chart-record.ts';
import { writeChart } from './chart-markup.ts';
import { attribute, namespaces, type ThemeColors, toUnits, xmlHead } from './drawing-markup.ts';
import { layouts, notesSize, writeLayout, writeMaster, writeNotes, writeNotesMaster } from './master-markup.ts';
import type { PageDeck, PageFrame } from './page-deck-spec.ts';
import { writeSlide } from './slide-markup.ts';
import { listThemeColors, writeTheme } from './theme-markup.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const presentationType = 'application/vnd.openxmlformats-officedocument.presentationml';

/** A picture as it goes into the file. */
export interface DeckPicture {
  bytes: Uint8Array;
  format: 'png' | 'jpg';
}

/** A chart with the workbook of its numbers. */
export interface DeckChart {
  record: ChartRecord;
  workbook: Uint8Array;
}

/** What slides show, by the path of its picture. */
export interface DeckMedia {
  pictures: ReadonlyMap<string, DeckPicture>;
  charts: ReadonlyMap<string, DeckChart>;
}

interface Relation {
  type: string;
  target: string;
  isExternal?: boolean;
}

function writeRelations(relations: readonly Relation[]): string {
  const lines = relations.map(({ type, target, isExternal }, at) => {
    const mode = isExternal ? ' TargetMode="External"' : '';
    return `<Relationship Id="rId${at + 1}" Type="${type.includes('/') ? type : `${office}/${type}`}" Target="${escapeMarkup(target)}"${mode}/>`;
  });
  return `${xmlHead}<Relationships xmlns="${packages}/relationships">${lines.join('')}</Relationships>`;
}

/** The parts of a presentation, with the content type of each. */
class DeckPackage {
  readonly #files = new Map<string, Uint8Array>();
  readonly #types: [path: string, type: string][] = [];

  add(path: string, content: string, type: string): void {
    this.#files.set(path, Buffer.from(content));
    this.#types.push([path, type]);
  }

  addPlain(path: string, content: string | Uint8Array): void {
    this.#files.set(path, typeof content === 'string' ? Buffer.from(content) : content);
  }

  addRelations(path: string, relations: readonly Relation[]): void {
    const at = path.lastIndexOf('/') + 1;
    this.addPlain(`${path.slice(0, at)}_rels/${path.slice(at)}.rels`, writeRelations(relations));
  }

  close(): Uint8Array {
    const usual = [
      ['rels', 'application/vnd.openxmlformats-package.relationships+xml'],
      ['xml', 'application/xml'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['png', 'image/png'],
      ['jpg', 'image/jpeg'],
    ].map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`);
    const own = this.#types.map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`);
    const types = `${xmlHead}<Types xmlns="${packages}/content-types">${[...usual, ...own].join('')}</Types>`;
    const files: Zippable = { '[Content_Types].xml': Buffer.from(types) };
    // Pictures are compressed already.
    for (const [path, bytes] of this.#files) files[path] = [bytes, { level: path.startsWith('ppt/media/') ? 0 : 6 }];
    return zipSync(files, { level: 6 });
  }
}

/** Gives out the ids of a part's relationships, each target once. */
class Relations {
  readonly all: Relation[];
  constructor(first: readonly Relation[]) {
    this.all = [...first];
  }

  idOf(relation: Relation): string {
    const at = this.all.findIndex(({ type, target }) => type === relation.type && target === relation.target);
    return `rId${at >= 0 ? at + 1 : this.all.push(relation)}`;
  }
}

function writeNoteText(notes: string): string {
  const lines = cleanText(notes).split('\n');
  return lines
    .map((line) => (line === '' ? '<a:p/>' : `<a:p><a:r><a:rPr/><a:t>${escapeMarkup(line)}</a:t></a:r></a:p>`))
    .join('');
}

/** Adds a chart for one picture; its number. */
function addChart(
  parts: DeckPackage,
  number: number,
  { record, workbook }: DeckChart,
  frame: PageFrame,
  theme: ThemeColors,
): void {
  const path = `ppt/charts/chart${number}.xml`;
  parts.add(path, writeChart({ record, frame, theme }), 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml');
  parts.addPlain(`ppt/embeddings/workbook${number}.xlsx`, workbook);
  parts.addRelations(path, [{ type: 'package', target: `../embeddings/workbook${number}.xlsx` }]);
}

interface PlacedMedia extends DeckMedia {
  /** The file of each picture. */
  files: ReadonlyMap<string, string>;
  theme: ThemeColors;
  countChart(): number;
}

function addSlide(parts: DeckPackage, deck: PageDeck, index: number, { files, theme, charts, countChart }: PlacedMedia): void {
  const slide = deck.slides[index];
  if (!slide) return;
  const number = index + 1;
  const layout = layouts.findIndex(({ kind }) => kind === slide.kind) + 1;
  const relations = new Relations([{ type: 'slideLayout', target: `../slideLayouts/slideLayout${layout}.xml` }]);
  const markup = writeSlide(slide, index, {
    theme,
    fonts: deck.fonts,
    language: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(deck.language) ? deck.language : '',
    linkTo: (target) => relations.idOf({ type: 'hyperlink', target, isExternal: true }),
    pictureAt: (path) => {
      const file = files.get(path);
      return file === undefined ? null : relations.idOf({ type: 'image', target: `../media/${file}` });
    },
    chartAt: ({ path, frame }) => {
      const chart = charts.get(path);
      if (!chart) return null;
      const own = countChart();
      addChart(parts, own, chart, frame, theme);
      return relations.idOf({ type: 'chart', target: `../charts/chart${own}.xml` });
    },
  });
  if (slide.notes !== '') {
    const notes = `ppt/notesSlides/notesSlide${number}.xml`;
    relations.all.push({ type: 'notesSlide', target: `../notesSlides/notesSlide${number}.xml` });
    parts.add(notes, writeNotes(writeNoteText(slide.notes)), `${presentationType}.notesSlide+xml`);
    parts.addRelations(notes, [
      { type: 'notesMaster', target: '../notesMasters/notesMaster1.xml' },
      { type: 'slide', target: `../slides/slide${number}.xml` },
    ]);
  }
  parts.add(`ppt/slides/slide${number}.xml`, markup, `${presentationType}.slide+xml`);
  parts.addRelations(`ppt/slides/slide${number}.xml`, relations.all);
}

function addMasters(parts: DeckPackage, deck: PageDeck): void {
  const theme = writeTheme(deck);
  const themeType = 'application/vnd.openxmlformats-officedocument.theme+xml';
  parts.add('ppt/theme/theme1.xml', theme, themeType);
  parts.add('ppt/theme/theme2.xml', theme, themeType);
  parts.add('ppt/slideMasters/slideMaster1.xml', writeMaster(deck), `${presentationType}.slideMaster+xml`);
  const own = layouts.map((_, at) => ({ type: 'slideLayout', target: `../slideLayouts/slideLayout${at + 1}.xml` }));
  parts.addRelations('ppt/slideMasters/slideMaster1.xml', [...own, { type: 'theme', target: '../theme/theme1.xml' }]);
  for (const [at, layout] of layouts.entries()) {
    const path = `ppt/slideLayouts/slideLayout${at + 1}.xml`;
    parts.add(path, writeLayout(layout, deck), `${presentationType}.slideLayout+xml`);
    parts.addRelations(path, [{ type: 'slideMaster', target: '../slideMasters/slideMaster1.xml' }]);
  }
  parts.add('ppt/notesMasters/notesMaster1.xml', writeNotesMaster(), `${presentationType}.notesMaster+xml`);
  parts.addRelations('ppt/notesMasters/notesMaster1.xml', [{ type: 'theme', target: '../theme/theme2.xml' }]);
}

function addPresentation(parts: DeckPackage, { slides, width, height }: PageDeck): void {
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 3}"/>`).join('');
  const sizes = `<p:sldSz cx="${toUnits(width)}" cy="${toUnits(height)}"/><p:notesSz cx="${toUnits(notesSize.width)}" cy="${toUnits(notesSize.height)}"/>`;
  const lists = `<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>${ids}</p:sldIdLst>`;
  parts.add(
    'ppt/presentation.xml',
    `${xmlHead}<p:presentation ${namespaces} saveSubsetFonts="1">${lists}${sizes}</p:presentation>`,
    `${presentationType}.presentation.main+xml`,
  );
  parts.addRelations('ppt/presentation.xml', [
    { type: 'slideMaster', target: 'slideMasters/slideMaster1.xml' },
    { type: 'notesMaster', target: 'notesMasters/notesMaster1.xml' },
    ...slides.map((_, at) => ({ type: 'slide', target: `slides/slide${at + 1}.xml` })),
    { type: 'theme', target: 'theme/theme1.xml' },
  ]);
}

/** A deck as a PowerPoint file. Pictures that are not given are left out. */
export function packDeck(deck: PageDeck, media: DeckMedia): Uint8Array {
  const parts = new DeckPackage();
  const core = `<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">${attribute(deck.title)}</dc:title>`;
  parts.addPlain(
    '_rels/.rels',
    writeRelations([
      { type: 'officeDocument', target: 'ppt/presentation.xml' },
      { type: `${packages}/relationships/metadata/core-properties`, target: 'docProps/core.xml' },
    ]),
  );
  parts.add(
    'docProps/core.xml',
    `${xmlHead}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties">${core}</cp:coreProperties>`,
    'application/vnd.openxmlformats-package.core-properties+xml',
  );
  addPresentation(parts, deck);
  addMasters(parts, deck);
  const files = new Map<string, string>();
  for (const [path, { bytes, format }] of media.pictures) {
    files.set(path, `picture${files.size + 1}.${format}`);
    parts.addPlain(`ppt/media/${files.get(path)}`, bytes);
  }
  let charts = 0;
  const placed = { ...media, files, theme: listThemeColors(deck), countChart: () => (charts += 1) };
  for (const index of deck.slides.keys()) addSlide(parts, deck, index, placed);
  return parts.close();
}
