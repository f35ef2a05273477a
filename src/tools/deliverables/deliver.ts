import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { uploadLimits } from '../../rules/files/upload-policy.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { findMade } from '../../rules/artifacts/made-files.ts';
import type { ArtifactPlace, Attachment, DeliveredFile, Made, StoredFile } from '../../rules/events/task-event.ts';
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

/** Stores the current content of a workspace file as a blob, which is durable when this resolves. */
async function storeFile(results: CallResults, path: string, { workspace }: ToolContext): Promise<StoredFile> {
  const content = workspace.stream(path, uploadLimits.fileBytes);
  const { blobId, bytes } = await results.put(content, { maxBytes: uploadLimits.fileBytes });
  const filename = lastName(path);
  return { blobId, filename, contentType: contentTypeOf(filename), bytes };
}

async function storeDeck(
  results: CallResults,
  made: Extract<Made, { kind: 'slides' }>,
  path: string,
  context: ToolContext,
): Promise<Attachment> {
  const html = await storeFile(results, made.forms.html, context);
  const pptx = await storeFile(results, made.forms.pptx, context);
  return { kind: 'slides', ...(path === made.forms.pptx ? pptx : html), forms: { html, pptx } };
}

async function attach(results: CallResults, path: string, context: ToolContext): Promise<Attachment> {
  const made = findMade(context.made, path);
  if (made.kind === 'slides') return storeDeck(results, made, path, context);
  const file = await storeFile(results, path, context);
  return { kind: file.contentType.startsWith('image/') ? 'image' : 'file', ...file };
}

/** The path that identifies a result. Both forms of a deck are one result, identified by the path of the deck. */
function placeOf(path: string, made: readonly Made[]): string {
  const found = findMade(made, path);
  return found.kind === 'slides' ? found.path : path;
}

/** @param known artifacts that were delivered in earlier calls and in this one */
async function deliverFile(
  results: CallResults,
  { path, name }: FileRequest,
  known: readonly ArtifactPlace[],
  context: ToolContext,
): Promise<DeliveredFile> {
  const named = normaliseWorkspacePath(path);
  const place = placeOf(named, context.made);
  const earlier = known.find((artifact) => artifact.path === place);
  const attachment = await attach(results, named, context);
  return {
    artifactId: earlier?.artifactId ?? newId(context.now()),
    path: place,
    displayName: toOneLine(name ?? '') || attachment.filename,
    attachment,
  };
}

function describeFile({ attachment, displayName }: DeliveredFile): string {
  const { filename, bytes } = attachment;
  return `- ${displayName === filename ? filename : `${displayName} (${filename})`}, ${bytes} bytes`;
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
      for (const request of files)
        delivered.push(await deliverFile(results, request, [...context.artifacts, ...delivered], context));
      const remarks = [
        ...(press ? await checkDelivered(press, delivered, context) : []),
        ...(await checkTables(delivered, context)),
      ];
      if (remarks.length > 0) remarks.push('Mend what matters and deliver again.');
      return { status: 'success', output: ['Delivered:', ...delivered.map(describeFile), ...remarks].join('\n'), delivered };
    },
  });
}
