import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { findBrowser } from '@errand/sandbox/programs';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import { createUseBrowser } from '../../../src/tools/browser/use-browser.ts';
import { createRunShell } from '../../../src/tools/commands/run-shell.ts';
import { noRegistries } from '../../../src/rules/egress/package-registries.ts';
import { TaskResources } from '../../../src/tools/toolbox/task-resources.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../../src/tools/toolbox/tool.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { toolContext } from '../tasks/tool-context.ts';

/** Of this machine's addresses, only the test server's are allowed, by their names in these tests. */
const connect = createSafeConnect({
  allow: ['127.0.0.1/32'],
  clock: systemClock,
  lookup: (host) => Promise.resolve([/^(site|other)\.test$/.test(host) ? '127.0.0.1' : '10.1.2.3']),
});
const { sandbox } = await openSandbox({ clock: systemClock, connect });
const program = findBrowser();

/** Whether this machine can run the browser. */
export const hasBrowser = sandbox !== null && program !== null;

/** What a page of the test server is made of. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => string | null;

export interface BrowserTask {
  workspace: Workspace;
  resources: TaskResources;
  browse(actions: readonly Record<string, unknown>[], changes?: Partial<ToolContext>): Promise<ToolOutcome>;
  /** Runs browser actions and returns the text of the outcome. */
  see(...actions: readonly Record<string, unknown>[]): Promise<string>;
  shell(command: string, more?: object): Promise<string>;
  /** Moves the task, as if another worker had claimed it. */
  move(): Promise<void>;
}

/** A server of pages and the tools of tasks that open them. `close` ends all of it. */
export class BrowserUnderTest {
  readonly site: string;
  readonly port: number;
  readonly requests: string[] = [];
  /** Where people look at the browsers. */
  readonly channel = new LocalBroadcast();
  /** The browsers that run. */
  running = 0;
  readonly #base = createFolder('browser');
  readonly #server;
  readonly #tool: Tool;
  readonly #shell: Tool;
  readonly #tasks: TaskResources[] = [];

  private constructor(server: ReturnType<typeof createServer>, clock: Clock, capacity?: number) {
    if (!sandbox || program === null) throw new Error('there is no browser');
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.site = `http://site.test:${this.port}`;
    const box = new SealedBox('a secret of these tests');
    this.#tool = createUseBrowser({
      sandbox: { ...sandbox, run: (command) => this.#count(sandbox.run(command)) },
      program,
      clock,
      log: silentLog,
      box,
      channel: this.channel,
      ...(capacity !== undefined && { capacity }),
    });
    this.#shell = createRunShell({
      sandbox,
      clock: systemClock,
      policy: { kind: 'none' },
      registries: noRegistries,
      log: silentLog,
    });
  }

  static async open(pages: Pages, options: { clock?: Clock; capacity?: number } = {}): Promise<BrowserUnderTest> {
    let opened: BrowserUnderTest | null = null;
    const server = createServer((request, response) => {
      opened?.requests.push(`${request.headers.host} ${request.url}`);
      const page = pages(request, response);
      if (page !== null) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (opened = new BrowserUnderTest(server, options.clock ?? systemClock, options.capacity));
  }

  async #count<Result>(run: Promise<Result>): Promise<Result> {
    this.running += 1;
    try {
      return await run;
    } finally {
      this.running -= 1;
    }
  }

  task(accountId = 'a1', taskId = 't1'): BrowserTask {
    const workspace = openWorkspace(join(this.#base, accountId, taskId));
    const task = { resources: new TaskResources() };
    this.#tasks.push(task.resources);
    const contextOf = (changes: Partial<ToolContext>) =>
      toolContext(workspace, { accountId, taskId, resources: task.resources, ...changes });
    const browse = (actions: readonly Record<string, unknown>[], changes: Partial<ToolContext> = {}) =>
      this.#tool.run(this.#tool.input.parse({ actions }), contextOf(changes));
    return {
      workspace,
      get resources() {
        return task.resources;
      },
      browse,
      see: async (...actions) => (await browse(actions)).output,
      shell: async (command, more = {}) =>
        (await this.#shell.run(this.#shell.input.parse({ command, ...more }), contextOf({}))).output,
      move: async () => {
        await task.resources.abandon();
        task.resources = new TaskResources();
        this.#tasks.push(task.resources);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#tasks.map((resources) => resources.abandon()));
    this.#server.closeAllConnections();
    this.#server.close();
    removeFolder(this.#base);
  }
}
