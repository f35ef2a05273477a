import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { uploadLimits } from '../../rules/files/upload-policy.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { chooseFilename, findMade, matchArtifacts } from '../../rules/artifacts/made-files.ts';
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

/**
 * Stores the current content of a workspace file as a blob, which is durable when this resolves.
 * @param name the name for the user, which is also that of the download if it is a file name
 */
async function storeFile(results: CallResults, path: string, { workspace }: ToolContext, name: string): Promise<StoredFile> {
  const content = workspace.stream(path, uploadLimits.fileBytes);
  const { blobId, bytes } = await results.put(content, { maxBytes: uploadLimits.fileBytes });
  const filename = lastName(path);
  return { blobId, filename: chooseFilename(filename, name), contentType: contentTypeOf(filename), bytes };
}

/** A file to deliver, the name that the user is told, and the artifact that it continues. */
interface Delivery {
  path: string;
  /** The path that identifies it. */
  from: string;
  name: string;
  known: ArtifactPlace | undefined;
}

async function storeDeck(
  results: CallResults,
  { forms }: Extract<Made, { kind: 'slides' }>,
  { path, name }: Delivery,
  context: ToolContext,
): Promise<Attachment> {
  // A name is meant for the form that was asked for; the other one is called alike.
  const stem = name.replace(/\.(?:html|pptx)$/i, '');
  const isNamed = stem !== name;
  const html = await storeFile(results, forms.html, context, isNamed ? `${stem}.html` : name);
  const pptx = await storeFile(results, forms.pptx, context, isNamed ? `${stem}.pptx` : name);
  return { kind: 'slides', ...(path === forms.pptx ? pptx : html), forms: { html, pptx } };
}

async function attach(results: CallResults, file: Delivery, context: ToolContext): Promise<Attachment> {
  const made = findMade(context.made, file.path);
  if (made.kind === 'slides') return storeDeck(results, made, file, context);
  const stored = await storeFile(results, file.path, context, file.name);
  return { kind: stored.contentType.startsWith('image/') ? 'image' : 'file', ...stored };
}

/** The path that identifies a result. Both forms of a deck are one result, identified by the path of the deck. */
function placeOf(path: string, made: readonly Made[]): string {
  const found = findMade(made, path);
  return found.kind === 'slides' ? found.path : path;
}

/** What the requests of a call deliver. Files of one step that have the same name are different results. */
function planDeliveries(requests: readonly FileRequest[], { artifacts, made, step }: ToolContext): Delivery[] {
  const files = requests.map(({ path, name = '' }) => {
    const normal = normaliseWorkspacePath(path);
    return { path: normal, from: placeOf(normal, made), name: toOneLine(name) };
  });
  const known = matchArtifacts(files, artifacts, step);
  return files.map(({ path, from, name }, at) => {
    const others = files.filter((other, index) => known[index] === known[at] && other.from !== from);
    if (known[at] && others.length > 0) {
      const problem = `${path} and ${others[0]?.path} are versions of one result. To deliver both, copy one to a path of its own.`;
      throw invalidField(`files.${at}.path`, problem);
    }
    return { path, from, name: name || (known[at]?.displayName ?? ''), known: known[at] };
  });
}

/** The path from which a version came. */
const sourceOf = ({ path, from = path }: ArtifactPlace) => from;

/** @param earlier what was delivered by this call so far */
async function deliverFile(
  results: CallResults,
  file: Delivery,
  earlier: readonly DeliveredFile[],
  context: ToolContext,
): Promise<DeliveredFile> {
  const { from } = file;
  const known = file.known ?? earlier.find((other) => sourceOf(other) === from);
  const attachment = await attach(results, file, context);
  const path = known?.path ?? from;
  return {
    artifactId: known?.artifactId ?? newId(context.now()),
    path,
    ...(from !== path && { from }),
    displayName: file.name || attachment.filename,
    ...(known && { isRenamed: file.name !== '' && file.name !== known.displayName }),
    attachment,
  };
}

function describeFile(file: DeliveredFile, { artifacts }: ToolContext): string {
  const { displayName, attachment } = file;
  const { filename, bytes } = attachment;
  const known = artifacts.find(({ artifactId }) => artifactId === file.artifactId);
  const isMoved = known !== undefined && sourceOf(known) !== sourceOf(file);
  const note = isMoved ? `, which replaces the one delivered from ${sourceOf(known)}` : '';
  return `- ${displayName === filename ? filename : `${displayName} (${filename})`}, ${bytes} bytes${note}`;
}

/** What readers of the csv files among these files would notice. */
async function checkTables(files: readonly DeliveredFile[], context: ToolContext): Promise<string[]> {
  const tables = files
    .map(sourceOf)
    .filter((path) => /\.csv$/i.test(path))
    .slice(0, mostChecked);
  const looks = await Promise.all(tables.map((path) => lookAtCsv(path, context)));
  return looks.flatMap(({ summary, findings }, at) =>
    findings.length === 0 ? [] : [`In ${tables[at]} (${summary}):`, ...findings.map((finding) => `- ${finding}`)],
  );
}

/** Defects that readers of the pages and PDFs among these files would notice. Decks were checked when they were made. */
async function checkDelivered(press: Press, files: readonly DeliveredFile[], context: ToolContext): Promise<string[]> {
  const pages = files
    .filter((file) => file.attachment.kind === 'file' && isCheckable(sourceOf(file)))
    .map(sourceOf)
    .slice(0, mostChecked);
  if (pages.length === 0) return [];
  const { readFindings } = await import('../pages/kept-findings.ts');
  const lines: string[] = [];
  for (const path of pages) {
    const known = /\.pdf$/i.test(path) ? await readFindings(path, context) : [];
    const found = new Set([...known, ...(await checkResult(press, path, context))]);
    if (found.size > 0) lines.push(`In ${path} readers will stumble over:`, ...found);
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
      for (const file of planDeliveries(files, context)) delivered.push(await deliverFile(results, file, delivered, context));
      const remarks = [
        ...(press ? await checkDelivered(press, delivered, context) : []),
        ...(await checkTables(delivered, context)),
      ];
      if (remarks.length > 0) remarks.push('Mend what matters and deliver again.');
      const described = delivered.map((file) => describeFile(file, context));
      return { status: 'success', output: ['Delivered:', ...described, ...remarks].join('\n'), delivered };
    },
  });
}
