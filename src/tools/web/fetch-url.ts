import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { fileLimitBytes, type Workspace } from '@errand/sandbox/workspace';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import type { DocumentReader } from '../files/readers/document-reader.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';
import { chooseFileName, readAnswer } from './fetched-text.ts';

/** Each holds its answer in memory. */
const maxAtOnce = 16;

const limits = { allowHttp: true, redirects: 5, totalMs: 30_000, connectMs: 10_000, maxBytes: fileLimitBytes };

const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; Errand)',
  accept: 'text/html,application/xhtml+xml,application/json,text/*;q=0.9,*/*;q=0.5',
  'accept-language': 'en;q=0.9,*;q=0.5',
};

const input = z.strictObject({
  url: z.string().min(1).max(8192),
  save_as: z.string().optional().describe('File for the raw answer.').meta({ disclosure: 'bare' }),
});

const blocked =
  'Nothing in this task reaches it; whoever operates this service can allow it (ERRAND_OUTBOUND_ALLOW). A server that runs in the sandbox is opened with use_browser or curl.';

async function request(httpClient: SafeFetch, url: string, { owner, signal }: Entrant): Promise<OutboundReply> {
  try {
    return await httpClient.request({ url, method: 'GET', headers, ...limits, owner, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundFault)) throw error;
    const advice = error.message.endsWith('is not public') ? ` ${blocked}` : '';
    throw new Fault('unavailable', `url: ${error.message}.${advice}`, { cause: error });
  }
}

/** A name that nothing in the workspace has. */
async function chooseFreePath(workspace: Workspace, name: string): Promise<string> {
  const taken = await workspace.list('downloads', 10_000, { depth: 1 }).catch(() => []);
  const paths = new Set(taken.map(({ path }) => path));
  const [, stem = name, ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const path = `downloads/${number === 1 ? name : `${stem}-${number}${ending}`}`;
    if (!paths.has(path)) return path;
  }
}

function describeSource(url: string, reply: OutboundReply): string {
  const from = reply.finalUrl === url ? reply.finalUrl : `${reply.finalUrl} (from ${url})`;
  return reply.status === 200 ? from : `${from}, status ${reply.status}`;
}

interface FetchParts {
  httpClient: SafeFetch;
  documents: DocumentReader;
}

async function fetchUrl(
  { httpClient, documents }: FetchParts,
  { url, save_as }: z.infer<typeof input>,
  { accountId, workspace, signal, egressGuard }: ToolContext,
): Promise<ToolOutcome> {
  const refusal = egressGuard.refuseAddress(url);
  if (refusal !== null) throw new Fault('permission_denied', refusal);
  const path = save_as === undefined ? null : normaliseWorkspacePath(save_as);
  const reply = await request(httpClient, url, { owner: accountId, signal });
  const status = reply.status < 400 ? 'success' : 'error';
  const source = describeSource(url, reply);
  if (reply.body.length === 0) return { status, output: `${source}: the answer is empty.` };
  const read = await readAnswer(reply, documents, { owner: accountId, signal });
  if (path !== null || (read.kind === 'bytes' && status === 'success')) {
    if (reply.isTruncated)
      return { status: 'error', output: `${source}: is larger than the ${limits.maxBytes} bytes that can be saved.` };
    const saved = path ?? (await chooseFreePath(workspace, chooseFileName(reply)));
    await workspace.write(saved, reply.body);
    return { status, output: `${source}: ${read.what}, ${reply.body.length} bytes, saved as ${saved}.` };
  }
  if (read.kind === 'bytes') return { status, output: `${source}: ${read.what}, ${reply.body.length} bytes.` };
  const cut = reply.isTruncated ? `\n[Only the first ${limits.maxBytes} bytes were read.]` : '';
  return { status, output: `${source} (${read.what}):\n\n${read.text}${cut}` };
}

/** Reads public URLs through the service's one HTTP client for them (docs/operate/outbound-requests.md). */
export function createFetchUrl(parts: FetchParts): Tool {
  const slots = new FairGate({ capacity: maxAtOnce });
  return defineTool({
    name: 'fetch_url',
    description: 'Fetches a public URL as text (also PDF, office); saves other kinds. No scripts.',
    input,
    effect: 'retry',
    onlyReads: true,
    reads: 'web',
    summarize: ({ url }) => ({ brief: `Fetching ${url}`, action: 'Fetching', param: url }),
    run: (wanted, context) => {
      const { accountId: owner, signal } = context;
      return slots.run({ owner, signal }, () => fetchUrl(parts, wanted, context));
    },
  });
}
