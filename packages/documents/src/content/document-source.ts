import { posix } from 'node:path';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import type { ReadFile } from '../generator-outcome.ts';
import { type Picture, readPicture } from '../pictures/picture-file.ts';
import type { PageSize } from './page-size.ts';
import { type Block, joinRuns, type Notes, walkBlocks } from './blocks.ts';
import { flattenText } from './plain-blocks.ts';
import { readMarkdown } from './markdown.ts';

/** `page` is HTML with the design kit, from which a browser makes the PDF. */
const documentFormats = ['pdf', 'docx', 'md', 'txt', 'page'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export interface DocumentJob {
  files: { path: string; format: DocumentFormat }[];
  /** Markdown in the call, or a workspace file that contains it. */
  markdown: string | { path: string };
  title: string;
  subtitle: string;
  author: string;
  date: string;
  hasTitlePage: boolean;
  pageSize: PageSize;
  /** A tag such as `de`; empty if unknown. */
  language: string;
  /** The theme of a page; see the design kit. */
  theme?: string;
  /** The look of a Word document whose theme is `brand`. */
  brand?: { theme: string; styles: string; logo?: Uint8Array };
  nowMs: number;
}

/** A document that was read and validated, with its pictures, before it is rendered. */
export interface DocumentSource extends Omit<DocumentJob, 'files' | 'markdown' | 'nowMs'> {
  markdown: string;
  /** Blocks in which notes and the table of contents have become lists at their places. */
  blocks: Block[];
  /** The blocks for page formats, where notes and the table of contents are real ones, and the notes they refer to. */
  rich: { blocks: Block[]; notes: Notes };
  /** What was not understood. */
  remarks: string[];
  /** Images by the path used in the Markdown. */
  images: ReadonlyMap<string, Picture>;
  madeAt: Date;
}

const mostSourceBytes = 2_000_000;
const mostImages = 100;

async function readSource({ markdown }: DocumentJob, readFile: ReadFile): Promise<string> {
  if (typeof markdown === 'string') return markdown;
  const bytes = await readFile(markdown.path);
  if (bytes.length > mostSourceBytes) throw invalidField('source', `"${markdown.path}" is larger than ${mostSourceBytes} bytes.`);
  return new TextDecoder().decode(bytes);
}

interface FoundPicture {
  /** Path in the workspace. */
  path: string;
  bytes: Uint8Array;
}

/** Paths in a file are meant from its folder, or else from the workspace. */
async function findPicture(path: string, folder: string, readFile: ReadFile): Promise<FoundPicture> {
  if (/^[a-z][a-z+.-]+:/i.test(path)) {
    const remedy = 'Pictures are taken from the workspace only: save it there and name its path.';
    throw invalidField('markdown', `the picture ${JSON.stringify(path.slice(0, 100))} is an address. ${remedy}`);
  }
  const near = posix.join(folder, path);
  try {
    return { path: near, bytes: await readFile(near) };
  } catch (error) {
    if (!(error instanceof Fault) || near === path) throw error;
    return { path, bytes: await readFile(path) };
  }
}

/** The pictures by their paths, which become those in the workspace. */
async function readImages(blocks: readonly Block[], folder: string, readFile: ReadFile): Promise<Map<string, Picture>> {
  const places = new Map<string, (Block & { type: 'image' })[]>();
  walkBlocks(blocks, (block) => {
    if (block.type === 'image') places.set(block.path, [...(places.get(block.path) ?? []), block]);
  });
  if (places.size > mostImages)
    throw invalidField('markdown', `shows more than ${mostImages} pictures. Make several documents of it.`);
  const images = new Map<string, Picture>();
  for (const [named, shown] of places) {
    const { path, bytes } = await findPicture(named, folder, readFile);
    images.set(path, await readPicture(bytes, path));
    for (const block of shown) block.path = path;
  }
  return images;
}

/** The title appears once: a leading heading with the same words is the title. */
function takeTitle(title: string, blocks: readonly Block[]): { title: string; blocks: Block[] } {
  const [first, ...rest] = blocks;
  const heading = first?.type === 'heading' && first.level === 1 ? cleanLine(joinRuns(first.runs)) : null;
  if (heading === null || (title !== '' && title !== heading)) return { title, blocks: [...blocks] };
  return { title: heading, blocks: rest };
}

/** A document that begins with two titles is rarely meant. */
function noteSecondTitle(title: string, blocks: readonly Block[]): string[] {
  const [first] = blocks;
  const titles = blocks.filter((block) => block.type === 'heading' && block.level === 1);
  if (title === '' || first?.type !== 'heading' || titles.length !== 1 || titles[0] !== first) return [];
  const heading = cleanLine(joinRuns(first.runs));
  return [`Two titles stand above each other: title, and the heading "${heading.slice(0, 100)}". Leave one out.`];
}

/** Reads and checks everything that a document consists of. */
export async function readDocument(job: DocumentJob, readFile: ReadFile): Promise<DocumentSource> {
  const markdown = await readSource(job, readFile);
  const read = readMarkdown(markdown);
  const { title, blocks } = takeTitle(cleanLine(job.title), read.blocks);
  const folder = typeof job.markdown === 'string' ? '' : posix.dirname(job.markdown.path);
  const images = await readImages(blocks, folder, readFile);
  const plain = flattenText(blocks, read.notes);
  if (title === '' && blocks.length === 0) throw invalidField('markdown', 'is empty: there is nothing to write.');
  return {
    title,
    subtitle: cleanLine(job.subtitle),
    author: cleanLine(job.author),
    date: cleanLine(job.date),
    hasTitlePage: job.hasTitlePage && title !== '',
    pageSize: job.pageSize,
    language: job.language,
    ...(job.theme !== undefined && { theme: job.theme }),
    ...(job.brand && { brand: job.brand }),
    markdown,
    blocks: plain.blocks,
    rich: { blocks, notes: read.notes },
    remarks: [...plain.remarks, ...noteSecondTitle(title, blocks)],
    images,
    madeAt: new Date(job.nowMs),
  };
}
