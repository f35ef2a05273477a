import { findAll, findDown, type Node } from './package-tree.ts';
import type { DrawnParagraph, DrawnRun, DrawnShape } from './presentation.ts';

/** English Metric Units per point. */
const unitsOfPoint = 12_700;
const mostText = 20_000;

/** Converts positions inside a group to positions on the slide. */
export interface Frame {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
}

type Box = Pick<DrawnShape, 'x' | 'y' | 'width' | 'height'>;

/** What a slide inherits from its layout and master. */
export interface SlideGround {
  /** The theme colors by name. */
  colors: ReadonlyMap<string, string>;
  /** The shapes from which a shape can inherit its position, nearest first. */
  patterns: readonly Node[];
  /** A picture of the slide by relation id; null if it is not shown. */
  pictureOf(id: string): string | null;
}

const points = (value: string | undefined) => Math.round((Number(value ?? 0) || 0) / unitsOfPoint);

/** The color of a fill or text; null for none, and for unsupported fills. */
export function readColor(holder: Node | undefined, colors: SlideGround['colors']): string | null {
  const fill = findDown(holder, 'solidFill');
  const [kind] = fill?.children ?? [];
  const value = kind?.attributes['val'] ?? kind?.attributes['lastClr'] ?? '';
  if (kind?.name === 'schemeClr') return colors.get(value) ?? null;
  return /^[0-9a-f]{6}$/i.test(value) ? `#${value}` : null;
}

function readBox(transform: Node | undefined, frame: Frame): Box | null {
  const [offset, extent] = [findDown(transform, 'off'), findDown(transform, 'ext')];
  if (!offset || !extent) return null;
  return {
    x: frame.x + points(offset.attributes['x']) * frame.scaleX,
    y: frame.y + points(offset.attributes['y']) * frame.scaleY,
    width: points(extent.attributes['cx']) * frame.scaleX,
    height: points(extent.attributes['cy']) * frame.scaleY,
  };
}

/** The coordinate system of a group. */
export function readGroupFrame(group: Node, frame: Frame): Frame {
  const transform = findDown(group, 'grpSpPr', 'xfrm');
  const box = readBox(transform, frame);
  const [start, size] = [findDown(transform, 'chOff'), findDown(transform, 'chExt')];
  if (!box || !start || !size) return frame;
  const scaleX = box.width / (points(size.attributes['cx']) || 1);
  const scaleY = box.height / (points(size.attributes['cy']) || 1);
  const [left, top] = [points(start.attributes['x']) * scaleX, points(start.attributes['y']) * scaleY];
  return { x: box.x - left, y: box.y - top, scaleX, scaleY };
}

function readRun(run: Node, colors: SlideGround['colors']): DrawnRun {
  const look = findDown(run, 'rPr');
  const size = Number(look?.attributes['sz']) / 100;
  return {
    text: run.name === 'br' ? '\n' : (findDown(run, 't')?.text ?? '').slice(0, mostText),
    size: size > 0 ? size : null,
    isBold: look?.attributes['b'] === '1',
    isItalic: look?.attributes['i'] === '1',
    color: readColor(look, colors),
  };
}

/** The paragraphs of a text body. */
export function readParagraphs(body: Node | undefined, colors: SlideGround['colors'], isList = false): DrawnParagraph[] {
  return (body?.children ?? [])
    .filter(({ name }) => name === 'p')
    .map((paragraph) => {
      const look = findDown(paragraph, 'pPr');
      const align = { ctr: 'center', r: 'right' }[look?.attributes['algn'] ?? ''] as DrawnParagraph['align'] | undefined;
      const hasSign = findDown(look, 'buChar') !== undefined || findDown(look, 'buAutoNum') !== undefined;
      return {
        runs: paragraph.children.filter(({ name }) => ['r', 'br', 'fld'].includes(name)).map((run) => readRun(run, colors)),
        align: align ?? 'left',
        level: Math.min(8, Number(look?.attributes['lvl']) || 0),
        hasBullet: hasSign || (isList && findDown(look, 'buNone') === undefined),
      };
    });
}

const placeholderOf = (shape: Node) => findDown(shape, 'nvSpPr', 'nvPr', 'ph') ?? findDown(shape, 'nvPicPr', 'nvPr', 'ph');

/** Position of a shape: its own, or inherited from the layout and master. */
function findBox(shape: Node, { patterns }: SlideGround, frame: Frame): Box | null {
  const own = readBox(findDown(shape, 'spPr', 'xfrm') ?? findDown(shape, 'xfrm'), frame);
  const place = placeholderOf(shape)?.attributes;
  if (own || !place) return own;
  const isLike = (pattern: Node) => {
    const other = placeholderOf(pattern)?.attributes;
    if (!other) return false;
    const kind = (type: string | undefined) => (type === 'ctrTitle' ? 'title' : (type ?? 'body'));
    return place['idx'] === undefined ? kind(other['type']) === kind(place['type']) : other['idx'] === place['idx'];
  };
  const boxes = patterns.filter(isLike).map((pattern) => readBox(findDown(pattern, 'spPr', 'xfrm'), frame));
  return boxes.find((box) => box !== null) ?? null;
}

/** The rows of a table as lines. */
function readTable(frame: Node, colors: SlideGround['colors']): DrawnParagraph[] {
  return findAll(frame, 'tr').map((row) => {
    const runs = findAll(row, 'tc').flatMap((cell, at) => {
      const text = readParagraphs(findDown(cell, 'txBody'), colors).flatMap((paragraph) => paragraph.runs);
      return at === 0 ? text : [{ text: '\u2003', size: null, isBold: false, isItalic: false, color: null }, ...text];
    });
    return { runs, align: 'left', level: 0, hasBullet: false };
  });
}

/** A shape, picture or table as drawn; null without a position. */
export function readShape(shape: Node, ground: SlideGround, frame: Frame): DrawnShape | null {
  const box = findBox(shape, ground, frame);
  if (!box) return null;
  const type = placeholderOf(shape)?.attributes['type'] ?? (placeholderOf(shape) ? 'body' : 'none');
  const body = findDown(shape, 'txBody');
  const anchor = { ctr: 'middle', b: 'bottom' }[findDown(body, 'bodyPr')?.attributes['anchor'] ?? ''];
  return {
    ...box,
    fill: readColor(findDown(shape, 'spPr'), ground.colors),
    paragraphs:
      shape.name === 'graphicFrame'
        ? readTable(shape, ground.colors)
        : readParagraphs(body, ground.colors, type === 'body' || type === 'obj'),
    size: isTitle(shape) ? 32 : 18,
    picture: shape.name === 'pic' ? ground.pictureOf(findDown(shape, 'blipFill', 'blip')?.attributes['r:embed'] ?? '') : null,
    anchor: (anchor as DrawnShape['anchor'] | undefined) ?? 'top',
  };
}

/** Whether a shape contains the title of its slide. */
export function isTitle(shape: Node): boolean {
  return /title$/i.test(placeholderOf(shape)?.attributes['type'] ?? '');
}
