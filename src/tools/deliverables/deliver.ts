import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { uploadLimits } from '../../rules/files/upload-policy.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { chooseFilename, findMade, findNamed } from '../../rules/artifacts/made-files.ts';
import type { Attachment, DeliveredFile, Made, StoredFile } from '../../rules/events/task-event.ts';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { checkResult, isCheckable, lookAtCsv } from '../pages/look-at-result.ts';
import { defineTool, type Tool, type ToolContext } from '../toolbox/tool.ts';
import { type CallResults, openResults, type ResultStore } from './result-store.ts';

/** Looking at each takes seconds. */
const mostChecked = 3;

const input = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        name: z.string().trim().min(1).max(200).optional().describe('Shown to the user.').meta({ disclosure: 'bare' }),
      }),
    )
    .min(1)
    .max(50),
});

type FileRequest = z.infer<typeof input>['files'][number];

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Stores the current content of a workspace file as a blob, which is durable when this resolves.
 * @param name the name for the user, which is also that of the download
 */
async function storeFile(results: CallResults, path: string, { workspace }: ToolContext, name?: string): Promise<StoredFile> {
  const content = workspace.stream(path, uploadLimits.fileBytes);
  const { blobId, bytes } = await results.put(content, { maxBytes: uploadLimits.fileBytes });
  const filename = lastName(path);
  return { blobId, filename: chooseFilename(filename, name), contentType: contentTypeOf(filename), bytes };
}

async function storeDeck(
  results: CallResults,
  { forms }: Extract<Made, { kind: 'slides' }>,
  { path, name }: FileRequest,
  context: ToolContext,
): Promise<Attachment> {
  const html = await storeFile(results, forms.html, context, name);
  const pptx = await storeFile(results, forms.pptx, context, name);
  return { kind: 'slides', ...(path === forms.pptx ? pptx : html), forms: { html, pptx } };
}

async function attach(results: CallResults, request: FileRequest, context: ToolContext): Promise<Attachment> {
  const made = findMade(context.made, request.path);
  if (made.kind === 'slides') return storeDeck(results, made, request, context);
  const file = await storeFile(results, request.path, context, request.name);
  return { kind: file.contentType.startsWith('image/') ? 'image' : 'file', ...file };
}

/** The path that identifies a result. Both forms of a deck are one result, identified by the path of the deck. */
function placeOf(path: string, made: readonly Made[]): string {
  const found = findMade(made, path);
  return found.kind === 'slides' ? found.path : path;
}

/** @param earlier what was delivered by this call so far */
async function deliverFile(
  results: CallResults,
  request: FileRequest,
  earlier: readonly DeliveredFile[],
  context: ToolContext,
): Promise<DeliveredFile> {
  const path = normaliseWorkspacePath(request.path);
  const name = toOneLine(request.name ?? '');
  const place = placeOf(path, context.made);
  // Within a call, equal names are different files; what was delivered before under this name is what this one replaces.
  const others = context.artifacts.filter(({ artifactId }) => !earlier.some((file) => file.artifactId === artifactId));
  const known = [...context.artifacts, ...earlier].find((artifact) => artifact.path === place) ?? findNamed(others, place, name);
  const attachment = await attach(results, { path, ...(name !== '' && { name }) }, context);
  return {
    artifactId: known?.artifactId ?? newId(context.now()),
    path: place,
    displayName: name || attachment.filename,
    attachment,
  };
}

function describeFile({ attachment, displayName, artifactId, path }: DeliveredFile, { artifacts }: ToolContext): string {
  const { filename, bytes } = attachment;
  const known = artifacts.filter((artifact) => artifact.artifactId === artifactId);
  const replaced = known.length > 0 && !known.some((artifact) => artifact.path === path) ? known[0] : undefined;
  const note = replaced ? `, which replaces the one delivered from ${replaced.path}` : '';
  return `- ${displayName === filename ? filename : `${displayName} (${filename})`}, ${bytes} bytes${note}`;
}

/** A result under the path of its first version, by which the library finds it. */
function keepPlace(file: DeliveredFile, { artifacts }: ToolContext): DeliveredFile {
  const known = artifacts.find(({ artifactId }) => artifactId === file.artifactId);
  return { ...file, path: known?.path ?? file.path };
}

/** What readers of the csv files among these files would notice. */
async function checkTables(files: readonly DeliveredFile[], context: ToolContext): Promise<string[]> {
  const tables = files.filter(({ path }) => /\.csv$/i.test(path)).slice(0, mostChecked);
  const looks = await Promise.all(tables.map(({ path }) => lookAtCsv(path, context)));
  return looks.flatMap(({ summary, findings }, at) =>
    findings.length === 0 ? [] : [`In ${tables[at]?.path} (${summary}):`, ...findings.map((finding) => `- ${finding}`)],
  );
}

/** Defects that readers of the pages and PDFs among these files would notice. Decks were checked when they were made. */
async function checkDelivered(press: Press, files: readonly DeliveredFile[], context: ToolContext): Promise<string[]> {
  const pages = files.filter(({ path, attachment }) => attachment.kind === 'file' && isCheckable(path)).slice(0, mostChecked);
  const lines: string[] = [];
  for (const { path } of pages) {
    const found = await checkResult(press, path, context);
    if (found.length > 0) lines.push(`In ${path} readers will stumble over:`, ...found);
  }
  return lines;
}

/**
 * Delivers workspace files to the user, with their content at this moment.
 * @param press looks at pages and PDFs; null on a machine without a browser
 */
export function createDeliver(resultStore: ResultStore, press: Press | null = null): Tool {
  return defineTool({
    name: 'deliver',
    description: 'Gives files to the user, as they are now; again after changes. Of a deck, one form.',
    input,
    effect: 'retry',
    summarize: ({ files }) => {
      const paths = files.map(({ path }) => path);
      return { brief: `Delivering ${paths.join(', ')}`, action: 'Delivering', param: paths.join(', ') };
    },
    async run({ files }, context) {
      const delivered: DeliveredFile[] = [];
      const results = openResults(resultStore, context);
      // Sequential: the disk is the bottleneck, and for duplicate paths the last request counts.
      for (const request of files) delivered.push(await deliverFile(results, request, delivered, context));
      const remarks = [
        ...(press ? await checkDelivered(press, delivered, context) : []),
        ...(await checkTables(delivered, context)),
      ];
      if (remarks.length > 0) remarks.push('Mend what matters and deliver again.');
      const described = delivered.map((file) => describeFile(file, context));
      return {
        status: 'success',
        output: ['Delivered:', ...described, ...remarks].join('\n'),
        delivered: delivered.map((file) => keepPlace(file, context)),
      };
    },
  });
}
