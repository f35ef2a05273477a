import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { createJobThreads } from '@errand/base/threads/job-thread.ts';
import type { DocumentJob } from '../content/document-source.ts';
import { createGenerators } from '../generators.ts';
import type { CoverForm } from './cover-drawing.ts';

const file = new URL('../generator-worker.ts', import.meta.url);
const threads = createJobThreads({ file, clock: systemClock, subject: 'this', deadlineMs: 30_000 });
const generators = createGenerators(systemClock, threads);
const { signal } = new AbortController();
const nothing = () => Promise.reject(new Error('nothing is to be read'));

afterAll(() => threads.close());

const report: DocumentJob = {
  files: [{ path: 'report.pdf', format: 'pdf' }],
  markdown: `# Growth\n\n${'All of it grew, month by month. '.repeat(40)}`,
  ...{ title: 'Growth', subtitle: '', author: '', date: '', language: 'en', hasTitlePage: false, pageSize: 'A4', nowMs: 0 },
};

async function makePdf(): Promise<Uint8Array> {
  const { files } = await generators.make('document', report, { owner: 'a1', readFile: nothing, signal });
  return files[0]?.bytes ?? new Uint8Array();
}

async function cover(bytes: Uint8Array, form: CoverForm = 'picture'): Promise<Uint8Array> {
  const { files } = await generators.make(
    'cover',
    { path: 'a', form },
    { owner: 'a1', readFile: () => Promise.resolve(bytes), signal },
  );
  return files[0]?.bytes ?? new Uint8Array();
}

/** A page of the given extent with one black box on it. */
function pageOf(width: number, height: number): Buffer {
  const drawing = `0 0 ${width} ${height / 2} re f`;
  const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R`;
  const parts = [
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    `3 0 obj << ${page} >> endobj`,
    `4 0 obj << /Length ${drawing.length} >> stream\n${drawing}\nendstream endobj`,
    'trailer << /Root 1 0 R >>',
  ];
  return Buffer.from(`%PDF-1.4\n${parts.join('\n')}\n%%EOF`);
}

describe('the cover of a PDF', () => {
  it('shows its first page, white with dark letters', async () => {
    const png = await cover(await makePdf());
    const { width, height } = await sharp(png).metadata();
    expect([width, height]).toEqual([282, 400]);
    const { dominant, channels } = await sharp(png).stats();
    expect(dominant.r).toBeGreaterThan(240);
    expect(channels[0]?.min).toBeLessThan(120);
    expect(channels[0]?.mean).toBeLessThan(253);
  });

  it('has a limited size, however large the page claims to be', async () => {
    const { width, height } = await sharp(await cover(pageOf(14_400_000, 9_000_000))).metadata();
    expect([width, height]).toEqual([640, 400]);
  });

  it.each([
    ['that is truncated', () => Buffer.from('%PDF-1.7\n1 0 obj <<')],
    ['that has no page', () => Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>')],
    ['whose page is a line', () => pageOf(1_000_000, 1)],
  ])('is not created for one %s, and the next one is', async (_, make) => {
    await expect(cover(make())).rejects.toThrow();
    expect((await cover(pageOf(100, 100))).length).toBeGreaterThan(100);
  });
});
