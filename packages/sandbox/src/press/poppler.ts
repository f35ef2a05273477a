import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { workspace } from './page-server.ts';
import { encodePng } from './png.ts';
import type { Finding, PressReport } from './press-job.ts';
import { explainFailure } from './program-failure.ts';

const run = promisify(execFile);
/** Size limit of one drawn page; no real page comes near it. */
const mostDrawnBytes = 256 * 1024 * 1024;
const limits = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
/** LibreOffice takes a second or two, and on a machine that does much else a minute. */
const officeLimits = { ...limits, timeout: 150_000 };

/** Whether pages of a PDF are empty is looked for up to here. */
const mostLooked = 80;
/** Pages and slides whose content ends higher are reported; a slide is judged as a whole. */
const leastUsedPage = 0.5;
const leastUsedSlide = 0.62;
/** A slide with as much free above its content has that in its middle, as one that opens a part. */
const titledAbove = 0.28;
/** Heads and feet are no content. */
const edgePart = 0.09;

/** The text of each page; empty if it cannot be read. */
export async function readPageTexts(pdf: string): Promise<string[]> {
  const { stdout } = await run('pdftotext', ['-enc', 'UTF-8', pdf, '-'], limits).catch(() => ({ stdout: '' }));
  return stdout.split('\f').map((text) => text.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase());
}

export async function countPages(pdf: string): Promise<number> {
  const { stdout } = await run('pdfinfo', [pdf], limits).catch(explainFailure('pdfinfo', limits.timeout));
  return Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1] ?? 0);
}

async function drawPage(pdf: string, target: string, page: number, width: number): Promise<void> {
  const place = ['-f', String(page), '-l', String(page), '-scale-to-x', String(width), '-scale-to-y', '-1'];
  const drawn = { ...limits, maxBuffer: mostDrawnBytes, encoding: 'buffer' as const };
  const { stdout } = await run('pdftoppm', ['-singlefile', ...place, pdf], drawn);
  await writeFile(`${target}-${page}.png`, encodePng(stdout));
}

/** Draws pages of a PDF as pictures of one width, two at a time: one alone leaves a core idle. */
export async function drawPages(
  pdf: string,
  to: string,
  pages: readonly number[],
  width: number,
): Promise<PressReport['pictures']> {
  const target = `${workspace}/${to}`;
  await mkdir(dirname(target), { recursive: true });
  const waiting = pages.values();
  const draw = async () => {
    for (const page of waiting) await drawPage(pdf, target, page, width);
  };
  await Promise.all([draw(), draw()]);
  return pages.map((page) => ({ path: `${to}-${page}.png`, page }));
}

interface UsedPart {
  /** The share of the page's height down to its last content, from 0 to 1; 1 for a page without a plain background. */
  used: number;
  /** The share above its first content. */
  above: number;
  isWide: boolean;
}

/** Whether the edges of a page differ, as those of a gradient do, on which content cannot be told. A text may touch an edge. */
function isShaded(height: number, edgesOf: (row: number) => [number, number]): boolean {
  const rows = [2, height * 0.25, height * 0.5, height * 0.75, height - 3].map(Math.floor);
  const grays = rows.flatMap(edgesOf).toSorted((a, b) => a - b);
  return (grays.at(-2) ?? 0) - (grays[1] ?? 0) > 20;
}

function usedPart(pgm: Buffer): UsedPart {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 40));
  if (!head) return { used: 1, above: 0, isWide: false };
  const [width, height] = [Number(head[1]), Number(head[2])];
  const pixels = pgm.subarray(head[0].length);
  const at = (row: number, column: number) => pixels[row * width + column] ?? 255;
  const ground = at(Math.floor(height * 0.5), width - 2);
  if (isShaded(height, (row) => [at(row, 2), at(row, width - 3)])) return { used: 1, above: 0, isWide: width > height };
  const columns = Array.from({ length: width }, (_, column) => column);
  const isUsed = (row: number) => columns.some((column) => Math.abs(at(row, column) - ground) > 20);
  const [first, end] = [Math.floor(height * edgePart) + 1, Math.floor(height * (1 - edgePart))];
  const rows = Array.from({ length: end - first }, (_, index) => first + index);
  const last = rows.findLast(isUsed);
  const isWide = width > height;
  if (last === undefined) return { used: 0, above: 1, isWide };
  return { used: (last + 1) / height, above: (rows.find(isUsed) ?? 0) / height, isWide };
}

/** Pages that end far above their foot. */
export async function findEmptyPages(pdf: string, pageCount: number): Promise<Finding[]> {
  const start = `/tmp/press-look/${basename(pdf)}`;
  await mkdir(dirname(start), { recursive: true });
  await run('pdftoppm', ['-gray', '-r', '18', '-l', String(Math.min(pageCount, mostLooked)), pdf, start], limits);
  const files = readdirSync(dirname(start))
    .filter((name) => name.startsWith(basename(start)))
    .sort();
  const findings: Finding[] = [];
  files.forEach((name, index) => {
    const { used, above, isWide } = usedPart(readFileSync(`${dirname(start)}/${name}`));
    const isEnd = index === pageCount - 1 && !isWide;
    const percent = Math.round(used * 100);
    const page = index + 1;
    const finding = { kind: 'empty' as const, page, element: '', words: '' };
    if (used === 0) findings.push({ ...finding, text: 'the page is empty' });
    else if (isEnd && pageCount > 1 && used < 0.22)
      findings.push({ ...finding, text: `the last page holds only its upper ${percent} %` });
    else if (!isEnd && !(isWide && above > titledAbove) && used < (isWide ? leastUsedSlide : leastUsedPage))
      findings.push({ ...finding, text: `only its upper ${percent} % is used` });
  });
  rmSync(dirname(start), { recursive: true, force: true });
  return findings;
}

/** Makes a PDF of an office file. */
export async function convertOffice(program: string, source: string): Promise<string> {
  const folder = '/tmp/press-office';
  const own = ['--headless', '--norestore', '--nolockcheck', '-env:UserInstallation=file:///tmp/press-profile'];
  await run(program, [...own, '--convert-to', 'pdf', '--outdir', folder, source], officeLimits).catch(
    explainFailure(program, officeLimits.timeout),
  );
  const [made] = readdirSync(folder).filter((name) => name.endsWith('.pdf'));
  if (made === undefined) throw new Error('LibreOffice made no pages of it');
  renameSync(`${folder}/${made}`, '/tmp/press-office.pdf');
  return '/tmp/press-office.pdf';
}
