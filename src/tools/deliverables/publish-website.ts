import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { newId, randomBase62 } from '@errand/base/ids.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { publicSiteUrl } from '../../rules/files/content-url.ts';
import { indexFile, nameVersion, publishedFor, type SiteFile, sitePlatforms } from '../../rules/websites/site.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';
import { closedFolders } from '../toolbox/closed-folders.ts';
import { defineTool, type Tool, type ToolContext } from '../toolbox/tool.ts';
import { openResults, type ResultStore } from './result-store.ts';

const maxFiles = 2000;
const maxBytes = 100 * 1024 * 1024;
const longestTitle = 100;

const input = z.strictObject({
  folder: z.string().describe(`Has ${indexFile}.`).meta({ disclosure: 'bare' }),
  title: z.string().trim().min(1).max(longestTitle),
  platform: z.enum(sitePlatforms).default('website').meta({ disclosure: 'later' }),
  publish_for: z.enum(publishedFor).optional().describe('If asked for; they confirm.').meta({ disclosure: 'asking' }),
  message: z.string().trim().max(200).default('').describe('What is new.').meta({ disclosure: 'later' }),
});

/** Files to serve, without build inputs. */
async function listSite(workspace: Workspace, folder: string): Promise<string[]> {
  const entries = await workspace.list(folder, maxFiles * 2, { closed: closedFolders });
  const prefix = folder === '.' ? '' : `${folder}/`;
  const files = entries
    .filter(
      ({ kind, path }) =>
        kind === 'file' &&
        !path
          .slice(prefix.length)
          .split('/')
          .some((name) => name.startsWith('.')),
    )
    .map(({ path }) => path.slice(prefix.length));
  if (!files.includes(indexFile)) {
    throw new Fault('invalid_argument', `folder: "${folder}" has no ${indexFile}. Write it first; it is what visitors see.`);
  }
  if (files.length > maxFiles) throw new Fault('invalid_argument', `folder: more than ${maxFiles} files. A site has fewer.`);
  return files.toSorted();
}

/** All files concatenated, followed by their index. `files` grows with each file read. */
async function* packSite(
  workspace: Workspace,
  folder: string,
  paths: readonly string[],
  files: SiteFile[],
): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const path of paths) {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of workspace.stream(folder === '.' ? path : `${folder}/${path}`, maxBytes - start)) {
      hash.update(piece);
      bytes += piece.byteLength;
      yield piece;
    }
    files.push({ path, start, bytes, sha256: hash.digest('hex') });
    start += bytes;
  }
  yield Buffer.from(JSON.stringify(files));
}

/** Root-relative links leave the site, which is served from a folder. */
async function findRootLinks(workspace: Workspace, folder: string, paths: readonly string[]): Promise<string[]> {
  const pages = paths.filter((path) => /\.html?$/i.test(path)).slice(0, 50);
  const found: string[] = [];
  for (const page of pages) {
    const text = await workspace.read(folder === '.' ? page : `${folder}/${page}`, 1024 * 1024).catch(() => null);
    if (text && /(?:src|href)\s*=\s*["']?\/[^/]/i.test(text.toString('utf8'))) found.push(page);
  }
  return found;
}

async function makeCheckpoint(
  store: ResultStore,
  { folder, title, platform, message }: z.infer<typeof input>,
  paths: readonly string[],
  context: ToolContext,
) {
  const { workspace, sites, now } = context;
  const files: SiteFile[] = [];
  const blob = await openResults(store, context).put(packSite(workspace, folder, paths, files), { maxBytes: maxBytes * 1.1 });
  const place = folder === '.' ? './' : `${folder}/`;
  const earlier = sites.find((site) => site.folder === place);
  const said = toOneLine(message) || (earlier ? 'A newer version' : 'The first version');
  return {
    websiteId: earlier?.websiteId ?? newId(now()),
    folder: place,
    space: earlier?.space ?? randomBase62(22),
    title: toOneLine(title),
    platform,
    versionId: nameVersion(files, said, earlier?.versionId ?? null),
    message: said,
    blobId: blob.blobId,
    indexAt: files.reduce((sum, { bytes }) => sum + bytes, 0),
    bytes: blob.bytes,
  };
}

/** A URL ends its line: a model that copies it would copy the period of a sentence as well. */
function describePublication({ publish_for: audience }: z.infer<typeof input>, url: string | null): string {
  const atLine = url === null ? '' : `\nURL for everybody, once it is published: ${url}`;
  const unseen = 'That page cannot be opened from this task: visitors see what the folder showed you.';
  if (audience === undefined)
    return `This version is a draft, which the user sees on the task's page and can publish there.${atLine}`;
  if (audience === 'public')
    return `The user has confirmed: in a moment everybody can open it. ${unseen}${url === null ? '' : `\nURL: ${url}`}`;
  return `The user has confirmed: in a moment they alone can open it, by the link on the task's page. ${unseen}`;
}

/**
 * Creates a site from a folder. It stays private until its user publishes it.
 * @param findContentUrl URL of the origin of sites; null before a process has served it
 */
export function createPublishWebsite(store: ResultStore, findContentUrl: () => Promise<string | null>): Tool {
  return defineTool({
    name: 'publish_website',
    description:
      'Makes a draft of a website from a folder with index.html, for the user to publish; again after changes. Relative links; no cookies, storage, receiver of forms; fetch only from hosts that allow any origin.',
    input,
    effect: 'retry',
    // A checkpoint is private. Approval is for making it visible to others.
    asksFor: ({ publish_for: audience }) => (audience === undefined ? null : 'deployAction'),
    summarize: ({ folder, title, message, publish_for: audience }) =>
      audience === undefined
        ? { brief: `Making the website ${title}`, action: 'Making website', param: folder }
        : {
            brief: `Publishing the website ${title} (${audience})`,
            action: 'Publishing website',
            param: message === '' ? folder : `${folder}, “${message}”`,
          },
    async run(request, context) {
      const folder = normaliseWorkspacePath(request.folder);
      const paths = await listSite(context.workspace, folder);
      const rooted = await findRootLinks(context.workspace, folder, paths);
      const made = await makeCheckpoint(store, { ...request, folder }, paths, context);
      const site = request.publish_for === undefined ? made : { ...made, publishFor: request.publish_for };
      const warning =
        rooted.length === 0
          ? ''
          : `\nThese pages link with addresses that begin with "/", which will not be found; make them relative: ${rooted.join(', ')}.`;
      const contentUrl = await findContentUrl();
      const url = contentUrl === null ? null : publicSiteUrl(contentUrl, site.space);
      const about = describePublication(request, url);
      const count = paths.length === 1 ? '1 file' : `${paths.length} files`;
      const output = `Saved the website "${site.title}" (${count}). ${about}${warning}`;
      return { status: 'success', output, site };
    },
  });
}
