import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Log } from '@errand/base/log.ts';
import { Fault } from '@errand/base/fault.ts';
import { loadDriver } from '@errand/sandbox/drivers';
import { libraryMount, proxyAddress, type Sandbox, type SandboxResult } from '@errand/sandbox';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import { logConnectedHost } from '../commands/connected-hosts-log.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { showPicture } from '../toolbox/show-picture.ts';
import { defineTool, type EgressGuard, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';
import { type BrowserAction, browserAction, type BrowserReport, type BrowserRequest } from './browser-action.ts';

/** Each needs several hundred megabytes and a core. */
const maxAtOnce = 4;
const mostShown = 4;

const mebibyte = 1024 * 1024;
const limits = {
  wallMs: 120_000,
  memoryBytes: 1536 * mebibyte,
  processes: 512,
  fileBytes: 256 * mebibyte,
  outputBytes: mebibyte,
};

const memory = `${workspaceMount}/.browser/session.json`;

const input = z.strictObject({
  actions: z.array(browserAction).min(1).max(20),
});

const libraryFolder = (): string => dirname(fileURLToPath(import.meta.resolve('playwright-core')));

function readReport({ end, stdout, stderr }: SandboxResult): BrowserReport {
  const last = stdout.toString().trim().split('\n').at(-1) ?? '';
  if (end !== 'exit')
    throw new Fault(
      'unavailable',
      `The browser was ended: it took too much ${end === 'output' ? 'room' : end}. Do less at a time.`,
    );
  try {
    return JSON.parse(last) as BrowserReport;
  } catch (cause) {
    const detail = stderr.toString().slice(-2000);
    throw new Fault('unavailable', 'The browser failed to start or crashed. Try again, or use fetch_url.', {
      cause,
      detail,
    });
  }
}

function present({ done, problem, page }: BrowserReport): ToolOutcome {
  const lines = [...done.map((line) => `- ${line}`), ...(problem === null ? [] : [`- not done: ${problem}`])];
  const shown =
    page === null
      ? ['No page is open.']
      : ['', `${page.title} (${page.url})`, '', page.text, '', 'On it:', ...page.elements.map((one) => `- ${one}`)];
  return { status: problem === null ? 'success' : 'error', output: [...lines, ...shown].join('\n') };
}

/** The most recent screenshots, for a model with vision. */
async function showScreenshots(done: readonly BrowserAction[], context: ToolContext): Promise<SeenPicture[]> {
  const paths = done.flatMap((action) => (action.do === 'screenshot' ? [action.path] : [])).slice(-mostShown);
  const seen: SeenPicture[] = [];
  for (const path of paths) seen.push(...(await showPicture(path, context)));
  return seen;
}

function checkAddresses(actions: readonly BrowserAction[], egressGuard: EgressGuard): void {
  for (const action of actions) {
    const refusal = action.do === 'open' ? egressGuard.refuseAddress(action.url) : null;
    if (refusal !== null) throw new Fault('permission_denied', refusal);
  }
}

export interface BrowserPlace {
  sandbox: Sandbox;
  /** Path of the Chromium executable. */
  program: string;
  log: Log;
}

/** The machine's Chromium, driven from inside the sandbox: outside, page data is only handled as text. */
export function createUseBrowser({ sandbox, program, log }: BrowserPlace): Tool {
  const places = new FairGate({ capacity: maxAtOnce });
  let driver: ReturnType<typeof loadDriver> | undefined;

  function compose(actions: readonly BrowserAction[]) {
    driver ??= loadDriver('browser-driver', import.meta.url);
    const request: BrowserRequest = { actions, program, proxy: proxyAddress, workspace: workspaceMount, memory };
    const work = [
      `const { chromium } = await import('${libraryMount}/index.mjs');`,
      `console.log(JSON.stringify(await drive(chromium, ${JSON.stringify(request)})));`,
    ];
    const stdin = [driver.text, ...work, ''].join('\n');
    return {
      command: ['node', '--disable-warning=ExperimentalWarning', `--input-type=${driver.kind}`, '-'],
      stdin,
      library: libraryFolder(),
    };
  }

  return defineTool({
    name: 'use_browser',
    description: 'A web browser, for scripts, forms, screenshots; shows the open page, with which the next call goes on.',
    input,
    effect: 'repeat',
    reads: 'web',
    account: ({ actions }) => {
      const opened = actions.find((action) => action.do === 'open');
      return { brief: opened ? `Browsing ${opened.url}` : 'Browsing', action: 'Browsing', param: opened?.url ?? '' };
    },
    run: ({ actions }, context) =>
      places.run({ owner: context.accountId, signal: context.signal }, async () => {
        const { workspace, signal, egressGuard } = context;
        checkAddresses(actions, egressGuard);
        const refuse = (host: string, port: number) => egressGuard.refuseHost({ host, port });
        const egress = { refuse, onConnect: logConnectedHost(log, context) };
        const report = readReport(await sandbox.run({ ...compose(actions), egress, workspace, signal, limits }));
        const pictures = await showScreenshots(actions.slice(0, report.done.length), context);
        return { ...present(report), ...(pictures.length > 0 && { pictures }) };
      }),
  });
}
