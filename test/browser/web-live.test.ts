import type { CDPSession, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type Step, startModelServer } from '../support/models/model-server.ts';
import { eventually } from '../support/service/service-client.ts';
import type { ServiceProcess } from '../support/service/supervisor.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

const words = Array.from({ length: 30 }, (_, index) => `word${index + 1} `);
const said = (count: number, name: string, frameDelayMs = 60): Step[] =>
  Array.from({ length: count }, (_, index) => ({
    text: [`${name} `, `${index + 1} `, `is here`],
    frameDelayMs,
    calls: [{ tool: 'run_shell', input: { command: `echo ${name} ${index + 1}` } }],
  }));

let model: ModelServer;
let web: WebUnderTest<ServiceProcess>;

beforeAll(async () => {
  model = await startModelServer();
  web = await WebUnderTest.startKillable({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

const createOne = (text: string, more: Answer = {}) => web.createTask(text, { interactive_mode: true, ...more });

/** A tall window, so that all rows of a short conversation are in the document. */
async function openTall(path: string): Promise<Page> {
  const page = await web.context.newPage();
  await page.setViewportSize({ width: 1280, height: 3_000 });
  await page.goto(web.base + path);
  return page;
}

/** What the conversation says in words, in its order: of the agent and of its user. */
async function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('[role=log] [data-index]')]
    .sort((a, b) => a.dataset.index - b.dataset.index)
    .flatMap((row) => [...row.querySelectorAll('article')])
    .map((one) => (one.querySelector('.markdown') ?? one.querySelector('[dir=auto]') ?? one).innerText.replaceAll(/\\s+/g, ' ').trim())`);
}

/** The same as the log of the task has it. */
async function loggedTexts(taskId: string): Promise<string[]> {
  const { messages } = (await web.call('task.listMessages', {
    task_id: taskId,
    order: 'asc',
    limit: '200',
    verbose: 'true',
  })) as { messages: Record<string, { content: string }>[] };
  return messages
    .flatMap((event) => event.user_message ?? event.assistant_message ?? event.explanation ?? [])
    .map(({ content }) => content.replaceAll(/\s+/g, ' ').trim());
}

async function isSameAsLogged(page: Page, taskId: string): Promise<void> {
  await page
    .getByRole('log')
    .getByText(/^(Done|Stopped)/)
    .last()
    .waitFor();
  // That may be the end of an earlier turn, and a text that is shown may not be logged yet.
  await expect
    .poll(async () => (await web.call('task.detail', { task_id: taskId })).task)
    .not.toMatchObject({ status: 'running' });
  const logged = await loggedTexts(taskId);
  await expect.poll(() => shownTexts(page)).toEqual(logged);
}

const network = (client: CDPSession, offline: boolean) =>
  client.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });

describe('a conversation on the screen', () => {
  it('matches the log after sleep, after a network failure, and after the service is killed in mid-reply', async () => {
    await model.script([
      { match: 'Sleep', steps: [...said(14, 'Nap', 120), { text: 'All of it is said' }] },
      { match: 'Crash', steps: [{ text: words, frameDelayMs: 150 }] },
    ]);
    const taskId = await createOne('Sleep well');
    const page = await openTall(`/app/${taskId}`);
    const log = page.getByRole('log');
    const client = await web.context.newCDPSession(page);
    await log.getByText('Nap 2 is here').waitFor();
    // The machine sleeps: nothing runs in the page while the task continues.
    await client.send('Page.setWebLifecycleState', { state: 'frozen' });
    await eventually('more steps', async () => ((await loggedTexts(taskId)).includes('Nap 6 is here') ? true : null));
    await client.send('Page.setWebLifecycleState', { state: 'active' });
    await log.getByText('Nap 7 is here').waitFor();
    await client.send('Network.enable');
    await network(client, true);
    await page.getByText('You’re offline').waitFor();
    await eventually('more steps', async () => ((await loggedTexts(taskId)).includes('Nap 10 is here') ? true : null));
    await network(client, false);
    await isSameAsLogged(page, taskId);

    const killed = await createOne('Crash in the middle');
    await page.goto(`${web.base}/app/${killed}`);
    await page.locator('[role=log] article[aria-busy]').waitFor();
    await web.service.restart();
    await isSameAsLogged(page, killed);
    expect(await page.locator('[role=log] article[aria-busy]').count()).toBe(0);
    await page.close();
  });

  it('accepts a message while offline, and sends it exactly once when online', async () => {
    await model.script([
      { match: 'First', steps: [{ text: 'Ready' }] },
      { match: 'Written', steps: [{ text: 'Heard it' }] },
    ]);
    const taskId = await createOne('First');
    const page = await openTall(`/app/${taskId}`);
    const log = page.getByRole('log');
    await log.getByText('Ready').waitFor();
    const client = await web.context.newCDPSession(page);
    await client.send('Network.enable');
    await network(client, true);
    await page.getByText('You’re offline').waitFor();
    await page.getByLabel('Message to the agent').fill('Written on a train');
    await page.keyboard.press('Control+Enter');
    await log.getByText('Sending').waitFor();
    expect(await log.getByText('Written on a train').count()).toBe(1);
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('');
    await network(client, false);
    await log.getByText('Heard it').waitFor();
    await isSameAsLogged(page, taskId);
    expect((await loggedTexts(taskId)).filter((text) => text === 'Written on a train')).toHaveLength(1);
    await page.close();
  });

  it('is the same in two tabs, and after a reload in mid-reply', async () => {
    await model.script([
      { match: 'Both', steps: [{ text: words, frameDelayMs: 400 }] },
      { match: 'Again', steps: [...said(3, 'Tab'), { text: 'That was all' }] },
    ]);
    const taskId = await createOne('Both of you');
    const [one, two] = [await openTall(`/app/${taskId}`), await openTall(`/app/${taskId}`)];
    const draft = (page: Page) => page.locator('[role=log] article[aria-busy]');
    await Promise.all([one, two].map((page) => draft(page).waitFor()));
    await one.reload();
    await draft(one).waitFor();
    expect(await draft(one).count()).toBe(1);
    await Promise.all([one, two].map((page) => isSameAsLogged(page, taskId)));
    await one.getByLabel('Message to the agent').fill('Again, please');
    await one.keyboard.press('Control+Enter');
    await two.getByRole('log').getByText('Again, please').waitFor();
    await two.getByRole('log').getByText('That was all').waitFor();
    await Promise.all([one, two].map((page) => isSameAsLogged(page, taskId)));
    await Promise.all([one.close(), two.close()]);
  });
});

/** Runs in a page before its own scripts: the test controls visibility and captures notifications. */
const ownVisibility = `
  let state = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => state });
  window.look = (isLooking) => { state = isLooking ? 'visible' : 'hidden'; document.dispatchEvent(new Event('visibilitychange')); };
  window.notices = [];
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() { return (this.permission = 'granted'); }
    constructor(title, { body, tag }) { super(); window.notices.push([title, body, tag]); }
    close() {}
  };`;

describe('a task that creates others', () => {
  it('shows them beside its conversation, with their current activity', async () => {
    const subtask = (title: string) => ({ tool: 'create_subtask', input: { title, instructions: `Part: ${title}` } });
    await model.script([
      { match: 'Part: Read', steps: [{ text: 'Read it' }] },
      { match: 'Part: Count', steps: [{ text: words, frameDelayMs: 200 }] },
      {
        match: 'Divide',
        steps: [{ calls: [subtask('Read the letters'), subtask('Count the stamps')] }, { text: 'Both are done' }],
      },
    ]);
    const taskId = await createOne('Divide the work');
    const page = await web.open(`/app/${taskId}`);
    const list = page.getByRole('region', { name: 'Subtasks' }).getByRole('listitem');
    await list.filter({ hasText: 'Read the letters' }).getByText('Done').waitFor();
    await list.filter({ hasText: 'Count the stamps' }).getByText('Running').waitFor();
    await list.filter({ hasText: 'Count the stamps' }).getByText('Done').waitFor();
    await page.getByRole('log').getByText('Both are done').waitFor();
    expect(await list.allInnerTexts()).toHaveLength(2);
    await examine(page, 'task-subtasks');
    await list.getByRole('link', { name: /Read the letters/ }).click();
    await page.getByRole('log').getByText('Read it').waitFor();
    await page.close();
  });
});

describe('a tab in the background', () => {
  it('reports in its title that the task is done, and in a notification if the user enabled them', async () => {
    await model.script([{ match: 'Tell me', steps: [{ text: words, frameDelayMs: 250 }] }]);
    const page = await web.context.newPage();
    await page.addInitScript(ownVisibility);
    const look = (isLooking: boolean) => page.evaluate(`look(${isLooking})`);
    const notices = () => page.evaluate<string[][]>('notices');
    const run = async (title: string) => {
      const taskId = await createOne('Tell me when you are done', { title });
      await page.goto(`${web.base}/app/${taskId}`);
      await page.locator('[role=log] article[aria-busy]').waitFor();
      return taskId;
    };
    await run('Without a word');
    await look(false);
    await expect.poll(() => page.title()).toBe('• Without a word · Errand');
    expect(await notices()).toEqual([]);
    await look(true);
    await expect.poll(() => page.title()).toBe('Without a word · Errand');
    await page.getByRole('button', { name: 'ann@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Notify me when tasks finish' }).click();
    await page.getByText('We’ll notify you when a task finishes in the background.').waitFor();
    const taskId = await createOne('Tell me when you are done', { title: 'With a word' });
    await page.getByRole('navigation', { name: 'Recent tasks' }).getByText('With a word').waitFor();
    await look(false);
    await expect.poll(notices).toEqual([['With a word', 'Done', taskId]]);
    await look(true);
    await page.getByRole('button', { name: 'ann@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Turn off notifications' }).click();
    await page.close();
  });
});

describe('with the keyboard alone', () => {
  it('tasks are created, watched, answered, stopped, and browsed', async () => {
    const question = { question: 'Which colour?', suggestions: ['Blue', 'Green'] };
    await model.script([
      {
        match: 'Paint',
        steps: [
          { delayMs: 2_000, calls: [{ tool: 'ask_user', input: question }] },
          { text: words, frameDelayMs: 2_000 },
        ],
      },
    ]);
    const page = await web.open('/');
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const focused = (name: string | RegExp) => page.locator(':focus').and(page.getByRole('button', { name }));
    await page.keyboard.press('n');
    await page.keyboard.type('Paint the fence');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/app/*');
    const painted = page.url();
    const log = page.getByRole('log');
    await log.getByRole('button', { name: 'Blue' }).waitFor();
    // What is asked is said to who does not see it, and the page begins at its heading.
    await expect
      .poll(() => page.locator('[aria-live=polite]').allInnerTexts())
      .toContainEqual(expect.stringContaining('Which colour? Blue, Green'));
    for (let press = 0; press < 20 && (await focused('Blue').count()) === 0; press += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await log.getByText('Blue').last().waitFor();
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Working');
    // Whoever wants no motion sees none.
    const moving = 'document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration > 20).length';
    expect(await page.evaluate(moving)).toBe(0);
    await page.keyboard.press('Control+.');
    await log.getByText('Stopped', { exact: true }).waitFor();
    await log.focus();
    await page.keyboard.press('j');
    await expect.poll(() => page.url()).not.toBe(painted);
    const isAtHeading = "document.querySelector('main h1').contains(document.activeElement)";
    await expect.poll(() => page.evaluate<boolean>(isAtHeading)).toBe(true);
    await page.keyboard.press('k');
    await expect.poll(() => page.url()).toBe(painted);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('fence');
    await expect.poll(() => page.getByRole('option', { selected: true }).innerText()).toContain('Paint the fence');
    await page.keyboard.press('Escape');
    await page.close();
  });
});

describe('several tabs', () => {
  it('receive changes over one connection, whichever of them remain open', async () => {
    await model.script([{ steps: [{ text: 'done' }] }]);
    const watchers: Page[] = [];
    const note = (request: Request) => {
      if (request.url().endsWith('/web/task.watch')) watchers.push(request.frame().page());
    };
    web.context.on('request', note);
    const taskId = await createOne('Shown in all of them');
    const first = await web.open('/');
    // The tab that is there first has the connection; the others come when it has.
    await expect.poll(() => watchers).toEqual([first]);
    const tabs = [first, await web.open('/'), await web.open('/')];
    const shows = (title: string, pages: readonly Page[]) =>
      Promise.all(pages.map((page) => page.getByRole('main').getByText(title).waitFor()));
    await shows('Shown in all of them', tabs);
    await web.call('task.update', { task_id: taskId, title: 'Told to three' });
    await shows('Told to three', tabs);
    expect(watchers).toEqual([first]);
    await first.close();
    await expect.poll(() => watchers.length).toBe(2);
    await web.call('task.update', { task_id: taskId, title: 'Told to two' });
    await shows('Told to two', tabs.slice(1));
    expect(watchers).toHaveLength(2);
    web.context.off('request', note);
    await Promise.all(tabs.slice(1).map((page) => page.close()));
  });
});

describe('going back and forward', () => {
  it('restores the position in the list', async () => {
    await model.script([{ steps: [{ text: 'done' }] }]);
    await Promise.all(Array.from({ length: 45 }, (_, index) => createOne(`Errand number ${index}`)));
    const page = await web.open('/');
    const rows = page.getByRole('main').getByRole('listitem');
    await rows.nth(5).waitFor();
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 1_400);
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(1_300);
    const top = await page.evaluate<number>('scrollY');
    const link = rows.getByRole('link').filter({ visible: true }).nth(12);
    const name = await link.innerText();
    await link.click();
    await page.waitForURL('**/app/*');
    await page.getByRole('log').waitFor();
    await page.goBack();
    await rows.getByRole('link', { name, exact: true }).waitFor();
    await expect.poll(async () => Math.abs((await page.evaluate<number>('scrollY')) - top)).toBeLessThan(80);
    await page.goForward();
    await page.getByRole('log').waitFor();
    expect(await page.title()).toBe(`${name} · Errand`);
    await page.close();
  });

  it('caused no error and no policy violation in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
