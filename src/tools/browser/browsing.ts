import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import { showPicture } from '../toolbox/show-picture.ts';
import type { EgressGuard, ToolContext, ToolOutcome } from '../toolbox/tool.ts';
import { readAim } from './browser-place.ts';
import { BrowserPool } from './browser-pool.ts';
import { BrowserSessionFile } from './browser-session-file.ts';
import type { BrowserStep } from './browser-step.ts';
import { presentReport } from './present-browser.ts';
import { TaskBrowser, type TaskBrowserParts } from './task-browser.ts';

/** Each needs several hundred megabytes, and one that works also a core. */
const mostBrowsers = 4;
const mostShown = 4;
/** Limit of the pictures of an account, in kilobytes per window. */
const shownPace = { count: 8_000, windowMs: 10_000 };

export type BrowserParts = Pick<TaskBrowserParts, 'sandbox' | 'program' | 'clock' | 'log' | 'channel'> & {
  /** Seals what is kept of a browser in the workspace. */
  box: Pick<SealedBox, 'seal' | 'open'>;
  /** How many browsers there are at once. */
  capacity?: number;
};

/** The most recent screenshots, for a model with vision. */
async function showScreenshots(done: readonly BrowserStep[], context: ToolContext): Promise<SeenPicture[]> {
  const paths = done.flatMap((step) => (step.do === 'screenshot' ? [step.path] : [])).slice(-mostShown);
  const seen: SeenPicture[] = [];
  for (const path of paths) seen.push(...(await showPicture(path, context)));
  return seen;
}

/** The steps with complete addresses, each of which the task may reach. */
function aim(steps: readonly BrowserStep[], guard: EgressGuard): { steps: BrowserStep[]; readsFiles: boolean } {
  let readsFiles = false;
  const aimed = steps.map((step): BrowserStep => {
    readsFiles ||= step.do === 'upload';
    const place = step.do === 'open' ? readAim(step.url) : null;
    if (step.do !== 'open' || !place) return step;
    readsFiles ||= place.kind === 'workspace';
    const refusal = place.kind === 'web' ? guard.refuseAddress(place.url) : null;
    if (refusal !== null) throw new Fault('permission_denied', refusal);
    return { ...step, url: place.url };
  });
  return { steps: aimed, readsFiles };
}

/** Performs the steps, and says in words for a model how they went. */
async function browse(actions: readonly BrowserStep[], browser: TaskBrowser, context: ToolContext): Promise<ToolOutcome> {
  const { steps, readsFiles } = aim(actions, context.egressGuard);
  const { report, hasReadFiles, isKept, isWithinQuota, exceeded } = await browser.use(steps, readsFiles, context);
  const pictures = await showScreenshots(actions.slice(0, report.done.length), context);
  const outcome = presentReport(report, exceeded);
  const unkept = isKept ? '' : '\n\n[The cookies and tabs could not be saved: they last only as long as this browser.]';
  const full = isWithinQuota ? '' : `\n\n[Too much is stored: ${context.workspace.quota?.text}; remove what is not needed.]`;
  return {
    ...outcome,
    ...(!isWithinQuota && { status: 'error' as const }),
    output: outcome.output + unkept + full,
    readsFiles: hasReadFiles,
    ...(pictures.length > 0 && { pictures }),
  };
}

/** The browsers of the tasks of this worker: performs the actions of a call in that of its task. */
export function openBrowsing({ box, capacity = mostBrowsers, ...parts }: BrowserParts) {
  const gate = new FairGate({ capacity });
  const pool = new BrowserPool(capacity);
  const pace = new GcraLimiter(parts.clock, shownPace);
  return async (actions: readonly BrowserStep[], context: ToolContext): Promise<ToolOutcome> => {
    const open = () => new TaskBrowser({ ...parts, pool, pace, file: new BrowserSessionFile(box) }, context);
    const browser = context.resources.keep('browser', open);
    const owner = { owner: context.accountId, signal: context.signal };
    for (;;) {
      // A person may have it; others get the slot meanwhile.
      await browser.live.untilFree(context.signal);
      const outcome = await gate.run(owner, async () => (browser.isTaken ? null : browse(actions, browser, context)));
      if (outcome !== null) return outcome;
    }
  };
}
