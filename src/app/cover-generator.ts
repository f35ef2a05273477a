import { readFile } from 'node:fs/promises';
import { Fault } from '@errand/base/fault.ts';
import type { CoverForm, Generators } from '@errand/documents';
import { coveredBytes, type CoverKind } from '../rules/artifacts/cover.ts';
import { indexFile, type SiteFile } from '../rules/websites/site.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { type PageShots, type PageWindow, shootPage, shownFolder } from '../tools/browser/page-screenshots.ts';
import type { DocumentReader } from '../tools/files/readers/document-reader.ts';
import { findKind } from '../tools/files/text/file-kind.ts';
import { type MediaProgram, type MediaSample, sampleMedia } from '../tools/files/converters/media-sample.ts';
import type { CoverGenerator, CoverSource } from '../work/artifacts/library-worker.ts';
import type { PdfConversionService } from '../work/artifacts/pdf-conversion-service.ts';
import { inTemporaryWorkspace } from './temporary-workspace.ts';

export interface CoverParts {
  generators: Generators;
  documents: DocumentReader;
  /** Null on a machine without a browser or a sandbox. */
  shots: PageShots | null;
  /** Null on a machine without an office program or a sandbox. */
  pdfConversion: Pick<PdfConversionService, 'convert'> | null;
  /** Null on a machine without FFmpeg or a sandbox. */
  media: MediaProgram | null;
}

/** How files are drawn that need no conversion, by kind. */
const forms: Partial<Record<CoverKind, CoverForm>> = {
  ...{ picture: 'picture', pdf: 'pdf', markdown: 'markdown', text: 'text', table: 'table', sound: 'sound' },
};

/** The first sheet of a workbook's text, or the first slide of a deck's. */
function takeFirstPart(text: string): string {
  const [, first = ''] = text.split(/^--- .* ---$/m, 2);
  return first.trim();
}

/** Marks the first row of tables in text extracted from a document as their head, which Markdown requires. */
function markTables(text: string): string {
  const lines = text.split('\n');
  const isRow = (line: string | undefined) => line?.startsWith('| ') === true;
  return lines
    .flatMap((line, at) => (isRow(line) && !isRow(lines[at - 1]) ? [line, line.replaceAll(/[^|\\]+|\\./g, '---')] : [line]))
    .join('\n');
}

/** Width and height of the browser window by kind. */
const windows = { page: { width: 1280, height: 800 }, deck: { width: 1280, height: 720 } };

/** The FFmpeg sample for each kind, and how it is drawn. */
const mediaSamples: Partial<Record<CoverKind, { sample: MediaSample; form: CoverForm }>> = {
  film: { sample: 'frame', form: 'screenshot' },
  still: { sample: 'frame', form: 'picture' },
  recording: { sample: 'sound', form: 'sound' },
};

const coverFolder = { name: 'errand-cover', fileLimitBytes: coveredBytes };

async function placeSite(workspace: Workspace, { bytes, indexAt }: Extract<CoverSource, { kind: 'site' }>): Promise<void> {
  const files = JSON.parse(bytes.toString('utf8', indexAt)) as SiteFile[];
  for (const { path, start, bytes: length } of files) {
    await workspace.write(`${shownFolder}/${path}`, bytes.subarray(start, start + length));
  }
}

/** Makes covers with what each kind of file needs: a drawing thread, a reading thread, or a browser. */
export function createCoverGenerator({ generators, documents, shots, pdfConversion, media }: CoverParts): CoverGenerator {
  async function draw(form: CoverForm, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const { files } = await generators.make(
      'cover',
      { path: 'cover', form },
      { owner: 'library', readFile: () => Promise.resolve(bytes), signal },
    );
    const [cover] = files;
    if (!cover) throw new Error('nothing was made');
    return cover.bytes;
  }

  async function look(
    place: (workspace: Workspace) => Promise<void>,
    window: PageWindow,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    if (!shots) throw new Fault('unavailable', 'There is no browser on this machine.');
    return inTemporaryWorkspace(coverFolder, async (workspace) => {
      await place(workspace);
      return draw('screenshot', await shootPage(shots, workspace, { page: indexFile, ...window }, signal), signal);
    });
  }

  async function readFirst(bytes: Buffer, signal: AbortSignal): Promise<string> {
    const kind = findKind(bytes);
    if (kind !== 'package' && kind !== 'old-office') throw new Fault('invalid_argument', 'This is not an office file.');
    return (await documents({ source: bytes, kind }, { owner: 'library', signal })).text;
  }

  return {
    means: { hasBrowser: shots !== null, hasOffice: pdfConversion !== null, hasFfmpeg: media !== null },
    async make(source, signal) {
      if (source.kind === 'converted') {
        if (!pdfConversion) throw new Fault('unavailable', 'There is no office program on this machine.');
        return draw('pdf', await readFile((await pdfConversion.convert(source.request)).path), signal);
      }
      const { kind, bytes } = source;
      if (source.kind === 'site') return look((workspace) => placeSite(workspace, source), windows.page, signal);
      if (kind === 'page' || kind === 'deck') {
        return look((workspace) => workspace.write(`${shownFolder}/${indexFile}`, bytes), windows[kind], signal);
      }
      if (kind === 'word') return draw('markdown', Buffer.from(markTables(await readFirst(bytes, signal))), signal);
      if (kind === 'workbook') return draw('table', Buffer.from(takeFirstPart(await readFirst(bytes, signal))), signal);
      if (kind === 'slides') return draw('slide', Buffer.from(takeFirstPart(await readFirst(bytes, signal))), signal);
      const taken = mediaSamples[kind as CoverKind];
      if (taken) {
        if (!media) throw new Fault('unavailable', 'There is no FFmpeg on this machine.');
        const { sample, form } = taken;
        const piece = await inTemporaryWorkspace(coverFolder, (workspace) =>
          sampleMedia(media, workspace, { bytes, sample }, signal),
        );
        return draw(form, piece, signal);
      }
      const form = forms[kind as CoverKind];
      if (!form) throw new Error(`nothing draws ${kind}`);
      return draw(form, bytes, signal);
    },
  };
}
