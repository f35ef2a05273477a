import { PreviewFault } from '../files/preview-fault.ts';
import { findAll, findDown, type Node, Package } from './package-tree.ts';
import {
  type Frame,
  isTitle,
  readColor,
  readGroupFrame,
  readParagraphs,
  readShape,
  type SlideGround,
} from './presentation-shapes.ts';
import type { DrawnShape, DrawnSlide, Presentation } from './presentation.ts';

const mostSlides = 300;
const mostShapes = 500;
const mostPartBytes = 4_000_000;
const mostPictureBytes = 8_000_000;
const mostBytes = 80_000_000;
const pointsOf = (units: string | undefined, usual: number) => Number(units) / 12_700 || usual;

const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Accepts parts up to a size limit. */
function createFilter(): (name: string, bytes: number) => boolean {
  let left = mostBytes;
  return (name, bytes) => {
    const isPicture = endingOf(name) in pictureTypes;
    if (!isPicture && !/\.(xml|rels)$/i.test(name)) return false;
    if (bytes > (isPicture ? mostPictureBytes : mostPartBytes)) return false;
    left -= bytes;
    if (left < 0) throw new PreviewFault('tooLarge');
    return true;
  };
}

const pieceBytes = 32_768;

function writeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  return btoa(pieces.join(''));
}

function readColors(theme: Node | undefined): Map<string, string> {
  const scheme = findAll(theme, 'clrScheme')[0];
  const colors = new Map(
    (scheme?.children ?? []).flatMap(({ name, children: [color] }) => {
      const value = color?.attributes['lastClr'] ?? color?.attributes['val'] ?? '';
      return /^[0-9a-f]{6}$/i.test(value) ? [[name, `#${value}`] as const] : [];
    }),
  );
  for (const [name, source] of [
    ['bg1', 'lt1'],
    ['tx1', 'dk1'],
    ['bg2', 'lt2'],
    ['tx2', 'dk2'],
  ] as const) {
    const color = colors.get(source);
    if (color !== undefined) colors.set(name, color);
  }
  return colors;
}

/** A slide with its layout, master and theme. */
function openSlide(file: Package, name: string) {
  const tree = file.tree(name);
  const relations = file.relations(name);
  const related = (from: ReturnType<Package['relations']>, type: string) =>
    [...from.values()].find((relation) => relation.type === type)?.target ?? '';
  const layoutName = related(relations, 'slideLayout');
  const masterName = related(file.relations(layoutName), 'slideMaster');
  const [layout, master] = [file.tree(layoutName), file.tree(masterName)];
  const colors = readColors(file.tree(related(file.relations(masterName), 'theme')));
  const patterns = [layout, master].flatMap((page) => [...findAll(page, 'sp'), ...findAll(page, 'pic')]);
  const ground: SlideGround = {
    colors,
    patterns,
    pictureOf(id) {
      const target = relations.get(id)?.target ?? '';
      const bytes = file.bytes(target);
      const type = pictureTypes[endingOf(target)];
      return bytes && type ? `data:${type};base64,${writeBase64(bytes)}` : null;
    },
  };
  const backgrounds = [tree, layout, master].map((page) => {
    const background = findDown(page, 'cSld', 'bg');
    return readColor(findDown(background, 'bgPr'), colors);
  });
  const notes = file.tree(related(relations, 'notesSlide'));
  return { tree, ground, background: backgrounds.find((color) => color !== null) ?? '#ffffff', notes };
}

function readShapes(tree: Node | undefined, ground: SlideGround, frame: Frame): { node: Node; shape: DrawnShape }[] {
  return (tree?.children ?? []).flatMap((node) => {
    if (node.name === 'grpSp') return readShapes(node, ground, readGroupFrame(node, frame));
    if (!['sp', 'pic', 'graphicFrame', 'cxnSp'].includes(node.name)) return [];
    const shape = readShape(node, ground, frame);
    return shape ? [{ node, shape }] : [];
  });
}

const wordsOf = (shape: Pick<DrawnShape, 'paragraphs'>) =>
  shape.paragraphs.map(({ runs }) => runs.map(({ text }) => text).join('')).join('\n');

function readNotes(notes: Node | undefined): string {
  const body = findAll(notes, 'sp').find((shape) => findDown(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes['type'] === 'body');
  return wordsOf({ paragraphs: readParagraphs(findDown(body, 'txBody'), new Map()) }).trim();
}

function readSlide(file: Package, name: string): DrawnSlide {
  const { tree, ground, background, notes } = openSlide(file, name);
  const start = { x: 0, y: 0, scaleX: 1, scaleY: 1 };
  const found = readShapes(findDown(tree, 'cSld', 'spTree'), ground, start).slice(0, mostShapes);
  const titled = found.find(({ node }) => isTitle(node));
  return {
    title: titled ? wordsOf(titled.shape).trim().slice(0, 200) : '',
    notes: readNotes(notes),
    background,
    shapes: found.map(({ shape }) => shape),
  };
}

/** The text and pictures of a .pptx file, slide by slide. Throws a `PreviewFault`. */
export function readPresentation(bytes: Uint8Array): Presentation {
  const file = new Package(bytes, createFilter());
  const main = [...file.relations('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
  const tree = file.tree(main);
  if (!tree) throw new PreviewFault('broken');
  const size = findDown(tree, 'sldSz')?.attributes;
  const relations = file.relations(main);
  const names = findAll(tree, 'sldId').flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? []);
  if (names.length === 0) throw new PreviewFault('broken');
  return {
    width: Math.min(4000, pointsOf(size?.['cx'], 960)),
    height: Math.min(4000, pointsOf(size?.['cy'], 540)),
    slides: names.slice(0, mostSlides).map((name) => readSlide(file, name)),
  };
}
