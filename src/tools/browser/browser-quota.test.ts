import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, type WorkspaceQuota } from '@errand/sandbox/workspace';
import { BrowserUnderTest, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';

const mebibyte = 1024 * 1024;

let browser: BrowserUnderTest;

beforeEach(async () => {
  if (!hasBrowser) return;
  browser = await BrowserUnderTest.open((request, response) => {
    if (request.url !== '/large') return '<title>Offer</title><a href="/large" download>Take it</a>';
    response.writeHead(200, { 'content-disposition': 'attachment' }).end(Buffer.alloc(2 * mebibyte));
    return null;
  });
});

afterEach(() => browser?.close());

/** Knows nothing of a workspace after a command of its task has ended, like the quota of an account. */
function createQuota(): WorkspaceQuota & { isFull: boolean } {
  let isPrepared = false;
  return {
    isFull: false,
    limit: { bytes: 100 * mebibyte, entries: 1000 },
    text: 'the workspaces would hold more than they may',
    hold: async () => {
      isPrepared = true;
      return { [Symbol.dispose]: () => undefined };
    },
    prepare: async () => void (isPrepared = true),
    allows({ bytes }) {
      return !this.isFull && (!isPrepared || bytes < mebibyte);
    },
    finish: async () => void (isPrepared = false),
    claim: async () => undefined,
    check: async () => undefined,
  };
}

describe.skipIf(!hasBrowser)('a browser that stays', () => {
  it('is held to the quota of the workspace in each call, also after a command has ended', async () => {
    const quota = createQuota();
    const task = browser.task();
    const workspace = openWorkspace(task.workspace.root, { quota });
    const first = await task.browse([{ do: 'open', url: `${browser.site}/` }], { workspace });
    expect(first.status).toBe('success');
    await quota.finish();
    const took = await task
      .browse([{ do: 'download', target: 'Take it', path: 'large' }], { workspace })
      .then(({ status, output }) => `${status}: ${output}`, String);
    // Either by the watch or after the call, whichever looks first.
    expect(took).toMatch(/^error: [^]*they may; remove what is not needed|took too much disk/);
  });

  it('that took too much disk between two calls is said to have ended for that', async () => {
    const quota = createQuota();
    const task = browser.task();
    const workspace = openWorkspace(task.workspace.root, { quota });
    await task.browse([{ do: 'open', url: `${browser.site}/` }], { workspace });
    quota.isFull = true;
    await expect.poll(() => browser.running, { timeout: 60_000 }).toBe(0);
    quota.isFull = false;
    const { output } = await task.browse([{ do: 'reload' }], { workspace });
    expect(output).toContain(
      'The browser had ended since the last call, because its pages took too much disk: its page was loaded',
    );
  });
});
