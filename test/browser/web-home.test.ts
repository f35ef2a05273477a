import { readFileSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/service/service-client.ts';
import { audit } from './chromium.ts';
import { type Answer, examine, owner, WebUnderTest } from './web-under-test.ts';

const firstLoadBytes = 200_000;
const schema = '{"type":"object","properties":{"company":{"type":"string"}},"required":["company"],"additionalProperties":false}';

let web: WebUnderTest;
let page: Page;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/');
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const message = () => page.getByRole('textbox', { name: 'Task description' });
const focused = () => page.locator(':focus');
const row = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });
const chooseAction = async (title: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${title}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

/** What a task came to: its state and everything that it said. */
async function waitForTask(taskId: string): Promise<{ status: string; said: string }> {
  const status = await eventually('the end of the turn', async () => {
    const { task } = (await web.call('task.detail', { task_id: taskId })) as { task: { status: string } };
    return task.status === 'running' ? null : task.status;
  });
  const { messages } = (await web.call('task.listMessages', { task_id: taskId, order: 'asc' })) as { messages: Answer[] };
  return { status, said: messages.map((event) => JSON.stringify(event.assistant_message ?? '')).join('\n') };
}

describe('the home page', () => {
  it('loads with less than 200 kB', async () => {
    const visitor = await web.newVisitor();
    await visitor.addCookies(await web.context.cookies());
    const sizes: Promise<number>[] = [];
    visitor.on('requestfinished', (request) => {
      if (!/\/v2\/|task\.watch/.test(request.url()))
        sizes.push(
          request.sizes().then(
            ({ responseBodySize }) => responseBodySize,
            // One that ends after the page was measured.
            () => 0,
          ),
        );
    });
    const first = await web.open('/', visitor);
    await first.getByRole('button', { name: 'Start task' }).waitFor();
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(firstLoadBytes);
    await visitor.close();
  });

  it('offers finished tasks to look at before there is a first one', async () => {
    await page.getByRole('heading', { name: 'Explore examples' }).waitFor();
    await examine(page, 'home-empty');
    expect(await page.getByRole('region', { name: 'Explore examples' }).getByRole('link').count()).toBe(3);
    await web.runTask(['say done'], [], { title: 'Welcome' });
    const { task_id: taskId } = await web.call('task.create', {
      message: { content: 'ask Which color?' },
      title: 'Colors',
      interactive_mode: true,
    });
    expect(await waitForTask(String(taskId))).toMatchObject({ status: 'waiting' });
    await row('Colors').waitFor();
  });

  it('creates a task with a file, a profile, and a schema, and shows its progress', async () => {
    await message().fill('say company: Acme');
    const picking = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await picking).setFiles([{ name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from('month,sales\nMay,3\n') }]);
    await page.getByRole('button', { name: 'Remove sales.csv' }).waitFor();
    await page.getByRole('combobox', { name: 'Profile' }).selectOption({ label: 'Max' });
    await page.getByRole('button', { name: 'Options' }).click();
    const field = page.getByRole('textbox', { name: 'Output schema' });
    await field.fill('{"type":');
    await page.getByRole('alert').filter({ hasText: 'isn’t valid JSON' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Start task' }).isDisabled()).toBe(true);
    await field.fill(schema);
    await examine(page, 'home-options');
    await message().press('Control+Enter');
    await page.waitForURL('**/app/*');
    const taskId = page.url().split('/').at(-1) ?? '';
    await waitForTask(taskId);
    const { task } = (await web.call('task.detail', { task_id: taskId })) as { task: Answer };
    expect(task.agent_profile).toBe('service-1.6-max');
    const { messages } = (await web.call('task.listMessages', { task_id: taskId })) as { messages: Answer[] };
    expect(JSON.stringify(messages)).toContain('sales.csv');
    expect(messages.find(({ type }) => type === 'structured_output_result')).toMatchObject({
      structured_output_result: { success: true, value: { company: 'Acme' } },
    });
    await page.goto(`${web.base}/`);
    await row('say company').waitFor();
    expect(await message().inputValue()).toBe('');
  });

  it('accepts dropped and pasted files, and cancels uploads in progress', async () => {
    const give = (event: string, kind: string, key: string, name: string) =>
      page.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File(['x'.repeat(5000)], '${name}'));
        const event = new ${kind}('${event}', { ${key}: data, bubbles: true, cancelable: true });
        document.querySelector('main textarea').dispatchEvent(event);
      }`);
    await give('drop', 'DragEvent', 'dataTransfer', 'dropped.txt');
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click();
    await give('paste', 'ClipboardEvent', 'clipboardData', 'pasted.txt');
    await page.getByRole('button', { name: 'Remove pasted.txt' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start task' }).isEnabled()).toBe(true);
    await page.route(`${web.service.contentUrl}/**`, () => undefined);
    await give('drop', 'DragEvent', 'dataTransfer', 'stuck.txt');
    await page.getByRole('progressbar', { name: 'Uploading stuck.txt' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start task' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel upload of stuck.txt' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Start task' }).isEnabled()).toBe(true);
    await page.unroute(`${web.service.contentUrl}/**`);
    await page.getByRole('button', { name: 'Remove pasted.txt' }).click();
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0);
  });

  it('renames, shares, finds, and deletes tasks, and keeps the filter in the URL', async () => {
    await chooseAction('say company: Acme', 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Companies of May');
    await page.keyboard.press('Enter');
    await row('Companies of May').waitFor();
    await chooseAction('Companies of May', 'Share');
    await page.getByText('Anyone with the link').click();
    const link = page.getByRole('textbox', { name: 'Link' });
    await link.waitFor();
    expect(await link.inputValue()).toContain('/share/');
    await examine(page, 'home-share');
    await page.keyboard.press('Escape');
    const found = Promise.withResolvers<void>();
    await page.route('**/task.search*', async (route) => {
      await found.promise;
      await route.continue();
    });
    await page.getByRole('searchbox').fill('may compan');
    await page.waitForURL('**/?q=may*');
    // What is typed while the list loads stays in the field, which keeps the focus.
    await page.keyboard.type('i');
    await page.keyboard.press('Backspace');
    found.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('may compan');
    await expect.poll(() => page.getByRole('list', { name: 'Tasks', exact: true }).getByRole('listitem').count()).toBe(1);
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('may compan');
    await chooseAction('Companies of May', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No matching tasks').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
    await row('Welcome').waitFor();
    expect(page.url()).not.toContain('q=');
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Waiting for you' });
    await expect.poll(() => row('Welcome').count()).toBe(0);
    await row('Colors').waitFor();
    await page.goto(`${web.base}/`);
  });

  it('pins tasks above the list, archives them, and starts them again', async () => {
    for (const title of ['Alpha', 'Beta', 'Gamma']) await web.runTask(['say done'], [], { title });
    await page.goto(`${web.base}/`);
    await row('Alpha').waitFor();
    await chooseAction('Alpha', 'Pin');
    await page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Alpha' }).waitFor();
    await expect.poll(() => row('Alpha').count()).toBe(1);
    await examine(page, 'home-pinned');
    await chooseAction('Beta', 'Archive');
    await expect.poll(() => row('Beta').count()).toBe(0);
    await chooseAction('Gamma', 'Select');
    await page.getByRole('checkbox', { name: 'Select Alpha' }).check();
    await page.getByRole('toolbar').getByText('2 selected').waitFor();
    await examine(page, 'home-selecting');
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
    await expect.poll(() => row('Gamma').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Archived' });
    await page.waitForURL('**/?archived=true');
    for (const title of ['Alpha', 'Beta', 'Gamma']) await row(title).waitFor();
    await chooseAction('Alpha', 'Restore');
    await expect.poll(() => row('Alpha').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('Alpha').waitFor();
    await chooseAction('Alpha', 'Run again');
    await page.waitForURL('**/app/*');
    await page.getByText('say done', { exact: true }).waitFor();
    await page.goto(`${web.base}/`);
    await expect.poll(() => row('Alpha').count()).toBe(2);
  });

  it('receives tasks that start, end, and move immediately, without polling', async () => {
    await row('Welcome').waitFor();
    const asked: string[] = [];
    const note = (request: Request) => {
      if (request.url().includes('/web/task.search')) asked.push(request.url());
    };
    page.on('request', note);
    const { task_id: taskId } = await web.call('task.create', {
      message: { content: 'say from elsewhere' },
      title: 'From elsewhere',
    });
    await row('From elsewhere').waitFor();
    await waitForTask(String(taskId));
    await expect.poll(() => row('From elsewhere').getByText('Running').count()).toBe(0);
    const recent = page.getByRole('navigation', { name: 'Recent tasks' });
    await web.call('task.update', { task_id: taskId, title: 'Renamed elsewhere' });
    await recent.getByText('Renamed elsewhere').waitFor();
    await web.call('task.delete', { task_id: taskId });
    await expect.poll(() => page.getByText('Renamed elsewhere').count()).toBe(0);
    expect(asked).toEqual([]);
    page.off('request', note);
  });

  it('keeps a menu open while the code of long lists arrives, and shows every row afterward', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, number) => web.createTask(`say many ${number}`)));
    const slow = await web.context.newPage();
    const code = Promise.withResolvers<void>();
    await slow.route('**/assets/virtual-window-list*', async (route) => {
      await code.promise;
      await route.continue();
    });
    await slow.goto(`${web.base}/`);
    const list = slow.getByRole('list', { name: 'Tasks', exact: true });
    await list
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    const arrived = slow.waitForResponse('**/assets/virtual-window-list*');
    code.resolve();
    await (await arrived).finished();
    await slow.getByRole('menuitem', { name: 'Rename' }).click();
    await slow.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('One of many');
    await slow.keyboard.press('Enter');
    await list.getByText('One of many').waitFor();
    await slow.mouse.wheel(0, 20_000);
    await expect.poll(() => list.locator('[aria-posinset="30"]').count()).toBe(1);
    await slow.close();
  });

  it('polls while no changes are pushed', async () => {
    const visitor = await web.newVisitor();
    await visitor.addCookies(await web.context.cookies());
    await visitor.route('**/web/task.watch', (route) => route.abort());
    const deaf = await visitor.newPage();
    await deaf.clock.install();
    await deaf.goto(web.base);
    await deaf.getByRole('main').getByRole('listitem').first().waitFor();
    const { task_id: taskId } = await web.call('task.create', { message: { content: 'say polled' }, title: 'Polled' });
    await deaf.clock.fastForward(15_000);
    await deaf.getByRole('main').getByText('Polled').waitFor();
    expect(await deaf.title()).toBe('Tasks · Errand');
    await web.call('task.delete', { task_id: taskId });
    await visitor.close();
  });

  it('reports that it is offline, without moving anything, and resumes when the connection returns', async () => {
    const place = () => page.getByRole('main').getByRole('heading').first().boundingBox();
    const before = await place();
    await web.context.setOffline(true);
    await page.getByText('You’re offline').waitFor();
    expect([before?.width, await place()]).toEqual([expect.any(Number), before]);
    await web.context.setOffline(false);
    await expect.poll(() => page.getByText('You’re offline').count()).toBe(0);
  });
});

describe('the frame of all pages', () => {
  it('shows the pages for every day, and folds the others into groups that it remembers', async () => {
    const nav = page.getByRole('navigation', { name: 'Main', exact: true });
    // Without the number of the inbox.
    const names = async () => (await nav.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(await names()).toEqual(['New task', 'Tasks', 'Inbox', 'Projects', 'Library', 'Agent']);
    await nav.getByRole('button', { name: 'Automation' }).click();
    await page.reload();
    await nav.getByRole('link', { name: 'Triggers' }).waitFor();
    expect(await names()).toEqual(expect.arrayContaining(['Schedules', 'Triggers', 'Recipes']));
    await nav.getByRole('button', { name: 'Automation' }).click();
    await page.goto(`${web.base}/skills`);
    expect(await nav.getByRole('button', { name: 'Knowledge and tools' }).getAttribute('aria-expanded')).toBe('true');
    expect(await nav.getByRole('link', { name: 'Schedules' }).count()).toBe(0);
    await page.goto(`${web.base}/`);
  });

  it('can be used with the keyboard alone', async () => {
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await examine(page, 'keyboard');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await examine(page, 'commands');
    await page.keyboard.type('usa');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/usage');
    await expect
      .poll(() =>
        focused()
          .and(page.getByRole('heading', { name: 'Usage', level: 1 }))
          .count(),
      )
      .toBe(1);
    expect(await page.title()).toBe('Usage · Errand');
    await page.keyboard.press('n');
    await expect.poll(() => focused().and(message()).count()).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('saves theme and language, in this browser and for the account', async () => {
    const menu = () => page.getByRole('button', { name: 'ann@example.com' });
    await menu().click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await menu().click();
    await page.getByRole('menuitemradio', { name: '中文' }).click();
    await page.getByRole('heading', { name: '需要完成什么任务？' }).waitFor();
    await eventually('the locale of the account', async () => {
      const answer = (await (
        await page.request.get(`${web.base}/web/session.show`, { headers: { 'x-errand-web': '1' } })
      ).json()) as Answer;
      return (answer.account as { locale: string }).locale === 'zh' ? true : null;
    });
    await page.reload();
    await page.getByRole('heading', { name: '需要完成什么任务？' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(22, 22, 21)');
    expect(await audit(page, false)).toEqual([]);
    for (const [name, language, heading] of [
      ['Deutsch', 'de', 'Was soll erledigt werden?'],
      ['Español', 'es', '¿Qué quieres que haga?'],
      ['English', 'en', 'What would you like done?'],
    ] as const) {
      await menu().click();
      await page.getByRole('menuitemradio', { name }).click();
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
    }
  });
});

describe('pages for what tasks use', () => {
  it('manage projects', async () => {
    await page.goto(`${web.base}/projects`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Letters');
    await page.getByRole('textbox', { name: /Instruction/ }).fill('Be brief.');
    await page.getByRole('checkbox', { name: 'data-analysis' }).click();
    await examine(page, 'project-new');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Letters', level: 1 }).waitFor();
    await page.getByRole('textbox', { name: /Instruction/ }).fill('Be brief and kind.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await examine(page, 'project');
    const { data } = (await web.call('project.list')) as { data: Answer[] };
    expect(data).toMatchObject([{ name: 'Letters', instruction: 'Be brief and kind.' }]);
    await page.getByRole('link', { name: 'View tasks' }).click();
    await page.waitForURL(/project=/);
    expect(await page.getByRole('combobox', { name: 'Project' }).first().inputValue()).toBe(data[0]?.id);
  });

  it('add and delete skills', async () => {
    await page.goto(`${web.base}/skills`);
    await page.getByRole('button', { name: 'New skill' }).click();
    await page
      .getByRole('textbox', { name: 'Or write a SKILL.md' })
      .fill('---\nname: friendly-letters\ndescription: For letters.\n---\n\nBe brief.');
    await examine(page, 'skill-new');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Delete friendly-letters' }).waitFor();
    await examine(page, 'skills');
    await page.getByRole('button', { name: 'Delete friendly-letters' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Delete friendly-letters' }).count()).toBe(0);
  });

  it('explain why a connector cannot be added', async () => {
    await page.goto(`${web.base}/connectors`);
    await page.getByRole('button', { name: 'New connector' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mail');
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1/mcp');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').innerText()).toContain('must begin with https://');
    await examine(page, 'connector-new');
  });

  it('show usage by model, project, person and day, without credits where these are unlimited', async () => {
    await web.runTask(['say something']);
    await page.goto(`${web.base}/usage`);
    const models = page.getByRole('table', { name: 'Usage by model' });
    await models.getByText('offline/offline-1').waitFor();
    expect(await page.getByText(/credit/i).count()).toBe(0);
    await examine(page, 'usage');
    await page.getByRole('tab', { name: 'Person' }).click();
    await page.getByRole('table', { name: 'Usage by person' }).getByText(owner.email).waitFor();
    await page.getByRole('tab', { name: 'Project' }).click();
    await page.getByRole('table', { name: 'Usage by project' }).getByRole('button', { name: 'No project' }).click();
    await page.getByRole('button', { name: /^Only: No project/ }).waitFor();
    await page.getByRole('tab', { name: 'Day' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('errand-usage-by-day.csv');
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^date,calls,input_tokens,.*\r\n\d{4}-\d\d-\d\d,\d+,/);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('tokens');
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7');
    await page.getByRole('table', { name: 'Usage by day', exact: true }).first().waitFor({ state: 'attached' });
    await examine(page, 'usage-by-day');
  });

  it('name the agent and talk to it', async () => {
    await page.goto(`${web.base}/agent`);
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByRole('textbox', { name: 'Nickname' }).fill('Pip');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Pip', level: 1 }).waitFor();
    // Nothing has been asked of it, so nothing is under way.
    await page.getByText('The agent hasn’t used any tools.').waitFor();
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.getByRole('main').getByRole('textbox').fill('say hello from Pip');
    await page.keyboard.press('Control+Enter');
    await page.getByText('hello from Pip', { exact: true }).waitFor();
    expect(await page.title()).toBe('Agent · Errand');
    await examine(page, 'agent');
    await page.getByRole('link', { name: 'Subtasks' }).click();
    await page.getByRole('heading', { name: 'No subtasks yet' }).waitFor();
    await examine(page, 'agent-subtasks');
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
