import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;
let member: BrowserContext;

beforeAll(async () => {
  web = await WebUnderTest.start();
  member = await web.newMember('bob@example.com');
  page = await web.open('/recipes');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const own = async () =>
  ((await web.call('recipe.list')) as { data: Answer[] }).data.filter(({ is_own: isOwn }) => isOwn === true);
const firstMessage = async (taskId: string) => {
  const { messages } = (await web.call('task.listMessages', { task_id: taskId, order: 'asc' })) as { messages: Answer[] };
  return messages.find(({ type }) => type === 'user_message')?.user_message as Answer;
};
const first = (noun: string) => async () =>
  ((await web.call(`${noun}.list`)) as { data: Answer[] }).data.find(({ name }) => name !== 'Briefings') ?? {};
const shownTask = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';

describe('the recipes', () => {
  it('that come with the service are shown first, and run from their form', async () => {
    const shipped = page.getByRole('list', { name: 'Ready to use' });
    await expect.poll(() => shipped.getByRole('listitem').count()).toBe(10);
    await page.getByRole('heading', { name: 'No recipes of your own yet' }).waitFor();
    await examine(page, 'recipes');
    await hand.press('Use Research a question');
    await hand.field('question', hand.dialog()).fill('Do heat pumps work in winter?');
    await hand.dialog().getByRole('combobox', { name: 'length' }).selectOption('one page');
    await examine(page, 'recipes-run');
    await hand.press('Start task', hand.dialog());
    await page.waitForURL('**/app/*');
    expect((await firstMessage(shownTask())).content).toContain('Do heat pumps work in winter?');
  });

  it('are made from a text, whose names become fields of a form', async () => {
    await page.goto(`${web.base}/recipes`);
    await hand.press('New recipe');
    await hand.field('Name', hand.dialog()).fill('Briefing');
    await hand.field('Task description').fill('say a {{length}} briefing on {{report}} by {{due}} about {{topic}}');
    await page.getByRole('combobox', { name: 'Type of length' }).selectOption({ label: 'Choice' });
    await hand.field('Choices of length').fill('short\nthorough');
    await page.getByRole('combobox', { name: 'Type of report' }).selectOption({ label: 'File' });
    await page.getByRole('combobox', { name: 'Type of due' }).selectOption({ label: 'Date' });
    await hand.dialog().getByRole('listitem').filter({ hasText: 'topic' }).getByRole('checkbox').click();
    await examine(page, 'recipes-new');
    await hand.press('Create', hand.dialog());
    await hand.said('Recipe created.').waitFor();
    const fields = [
      { name: 'length', type: 'choice', required: true, choices: ['short', 'thorough'] },
      { name: 'report', type: 'file', required: true },
      { name: 'due', type: 'date', required: true },
      { name: 'topic', type: 'text', required: false },
    ];
    expect(await own()).toMatchObject([{ name: 'Briefing', fields, team: false }]);
  });

  it('take choices, files, dates, and texts', async () => {
    await hand.press('Use Briefing');
    const form = hand.dialog('Briefing');
    await form.getByLabel('length').selectOption('short');
    await form
      .getByLabel('report')
      .setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('All is well.') });
    await form.getByLabel('due').fill('2027-02-28');
    await form.getByText('report.txt').waitFor();
    await examine(page, 'recipes-fields');
    await hand.press('Start task', form);
    await page.waitForURL('**/app/*');
    const message = await firstMessage(shownTask());
    expect(message.content).toBe('say a short briefing on report.txt by 2027-02-28 about ');
    expect(message.attachments).toMatchObject([{ filename: 'report.txt' }]);
  });

  it('open by a link with their fields filled in, start nothing on opening, and make such links', async () => {
    const [{ id } = {}] = await own();
    const before = ((await web.call('task.list')) as { data: Answer[] }).data.length;
    const values = 'values.length=short&values.due=2027-02-28&values.topic=2027&values.report=file-x&values.other=y';
    await page.goto(`${web.base}/recipes?recipe=${String(id)}&${values}`);
    const form = hand.dialog('Briefing');
    await expect.poll(() => form.getByLabel('topic').inputValue()).toBe('2027');
    expect(await form.getByLabel('length').inputValue()).toBe('short');
    expect(await form.getByLabel('due').inputValue()).toBe('2027-02-28');
    await examine(page, 'recipes-link');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await hand.press('Copy link to this form', form);
    await form.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect(Object.fromEntries(copied.searchParams)).toEqual({
      recipe: id,
      ...{ 'values.length': 'short', 'values.due': '2027-02-28', 'values.topic': '2027' },
    });
    expect(((await web.call('task.list')) as { data: Answer[] }).data).toHaveLength(before);
    await page.goto(`${web.base}/recipes?recipe=unknown`);
    await page.getByRole('dialog', { name: 'Recipe not found' }).waitFor();
  });

  it('take the place of the message of a schedule and a trigger', async () => {
    await page.goto(`${web.base}/schedules`);
    await page.getByRole('button', { name: 'New schedule' }).first().click();
    const form = hand.dialog();
    await form.getByLabel('Name').fill('Weekly');
    await form.getByRole('combobox', { name: 'Recipe' }).selectOption({ label: 'Research a question' });
    await form.getByLabel('question', { exact: true }).fill('What is new?');
    await form.getByRole('combobox', { name: 'length' }).selectOption('one page');
    await examine(page, 'schedules-recipe');
    await hand.press('Create', form);
    await hand.said('Schedule created.').waitFor();
    const { data } = (await web.call('schedule.list')) as { data: Answer[] };
    expect(data).toMatchObject([{ name: 'Weekly', values: { question: 'What is new?', length: 'one page' } }]);
    expect(data).toMatchObject([{ message: { content: expect.stringContaining('What is new?') as unknown } }]);
    await page.goto(`${web.base}/triggers`);
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    await hand.dialog().getByRole('combobox', { name: 'Recipe' }).selectOption({ label: 'Research a question' });
    await hand.dialog().getByLabel('question', { exact: true }).fill('{{/title}}');
    await hand.dialog().getByRole('combobox', { name: 'length' }).selectOption('one page');
    await examine(page, 'triggers-recipe');
    await hand.dialog().getByLabel('Name').fill('Issues');
    await hand.press('Create', hand.dialog());
    await expect.poll(first('trigger')).toMatchObject({ name: 'Issues', values: { question: '{{/title}}' } });
  });

  it('stay with a schedule and a trigger that are edited, take other values there, and give way to a message', async () => {
    const [weekly, issues] = [await first('schedule')(), await first('trigger')()];
    const edit = async (path: string) => {
      await page.goto(`${web.base}/${path}`);
      await hand.press('Edit');
      return hand.dialog();
    };
    const form = await edit(`schedules/${String(weekly.id)}`);
    await expect.poll(() => form.getByLabel('question', { exact: true }).inputValue()).toBe('What is new?');
    await form.getByLabel('question', { exact: true }).fill('What is old?');
    await hand.press('Save', form);
    await expect.poll(first('schedule')).toMatchObject({
      recipe_id: weekly.recipe_id,
      values: { question: 'What is old?', length: 'one page' },
      message: { content: expect.stringContaining('What is old?') as unknown },
    });
    await edit(`triggers/${String(issues.id)}`);
    await form.getByLabel('Name').fill('New issues');
    await hand.press('Save', form);
    await expect.poll(first('trigger')).toMatchObject({ name: 'New issues', recipe_id: issues.recipe_id, values: issues.values });
    await edit(`triggers/${String(issues.id)}`);
    await form.getByRole('combobox', { name: 'Recipe' }).selectOption({ label: 'None – write a message' });
    await hand.press('Save', form);
    await expect.poll(async () => 'recipe_id' in (await first('trigger')())).toBe(false);
    expect((await first('trigger')()).message_template).toBe(issues.message_template);
    await edit(`triggers/${String(issues.id)}`);
    await form.getByRole('combobox', { name: 'Recipe' }).selectOption({ label: 'Research a question' });
    await form.getByLabel('question', { exact: true }).fill('{{/issue/title}}');
    await form.getByRole('combobox', { name: 'length' }).selectOption('one page');
    await hand.press('Save', form);
    await expect.poll(first('trigger')).toMatchObject({ recipe_id: issues.recipe_id, values: { question: '{{/issue/title}}' } });
  });

  it('give a new schedule their settings, and keep the file that was chosen while it is edited', async () => {
    const [{ id } = {}] = await own();
    await web.call('recipe.update', { recipe_id: id, budget: { credits: 40, on_limit: 'end' } });
    await page.goto(`${web.base}/schedules`);
    await hand.press('New schedule');
    const form = hand.dialog();
    await form.getByLabel('Name').fill('Briefings');
    await form.getByRole('combobox', { name: 'Recipe' }).selectOption({ label: 'Briefing' });
    await form.getByLabel('length').selectOption('short');
    await form.getByLabel('report').setInputFiles({ name: 'old.txt', mimeType: 'text/plain', buffer: Buffer.from('Old.') });
    await form.getByLabel('due').fill('2027-02-28');
    await form.getByRole('button', { name: 'Remove old.txt' }).waitFor();
    await hand.press('Create', form);
    const briefings = async () =>
      ((await web.call('schedule.list')) as { data: Answer[] }).data.find(({ name }) => name === 'Briefings');
    await expect.poll(briefings).toMatchObject({ budget: { credits: 40, on_limit: 'end' } });
    await page.goto(`${web.base}/schedules/${String((await briefings())?.id)}`);
    await hand.press('Edit');
    await form.getByText('Leave empty to keep the file chosen before.').waitFor();
    await examine(page, 'schedules-recipe-edit');
    await form.getByLabel('due').fill('2027-03-31');
    await hand.press('Save', form);
    await expect.poll(briefings).toMatchObject({
      message: { content: expect.stringContaining('old.txt by 2027-03-31') as unknown, attachments: [{ filename: 'old.txt' }] },
    });
  });

  it.each(['schedule', 'trigger'])('show at the field what a %s is refused for', async (noun) => {
    await page.goto(`${web.base}/${noun}s/${String((await first(noun)()).id)}`);
    await hand.press('Edit');
    const question = hand.dialog().getByLabel('question', { exact: true });
    await page.route(new RegExp(`${noun}\\.update`), async (route) => {
      const input = route.request().postDataJSON() as { values: Answer };
      await route.continue({ postData: JSON.stringify({ ...input, values: { ...input.values, question: '' } }) });
    });
    await question.fill('Why?');
    await hand.press('Save', hand.dialog());
    await expect.poll(() => question.getAttribute('aria-invalid')).toBe('true');
    expect(await hand.dialog().getByRole('alert').allInnerTexts()).toEqual(['Is required']);
    await hand.dialog().getByRole('alert').waitFor({ state: 'visible' });
    await examine(page, `${noun}s-recipe-refused`);
    await page.unroute(new RegExp(`${noun}\\.update`));
    await page.reload();
  });

  it('show at the field what the service refuses', async () => {
    await page.goto(`${web.base}/recipes`);
    await page.route(/recipe\.run/, async (route) => {
      const input = route.request().postDataJSON() as { values: Answer };
      await route.continue({ postData: JSON.stringify({ ...input, values: { ...input.values, question: '' } }) });
    });
    await hand.press('Use Research a question');
    await hand.field('question', hand.dialog()).fill('Why?');
    await hand.dialog().getByRole('combobox', { name: 'length' }).selectOption('one page');
    await hand.press('Start task', hand.dialog());
    await hand
      .dialog()
      .getByRole('alert')
      .getByText(/required/)
      .waitFor();
    await expect.poll(() => hand.field('question', hand.dialog()).getAttribute('aria-invalid')).toBe('true');
    await page.unroute(/recipe\.run/);
    await page.reload();
  });

  it('are edited and shared with the team, whose members run them and copy them, but do not change them', async () => {
    await hand.press('Actions for Briefing');
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await hand.field('Name', hand.dialog()).fill('Team briefing');
    await hand.dialog().getByLabel('Share with your team').click();
    await hand.press('Save', hand.dialog());
    await hand.said('Saved.').waitFor();
    expect(await own()).toMatchObject([
      { name: 'Team briefing', team: true, fields: [{ choices: ['short', 'thorough'] }, {}, {}, {}] },
    ]);
    const bobPage = await web.open('/recipes', member);
    await bobPage.getByRole('list', { name: 'From your team' }).getByText('Team briefing').waitFor();
    await bobPage.getByRole('button', { name: 'Actions for Team briefing' }).click();
    expect(await bobPage.getByRole('menuitem').allInnerTexts()).toEqual(['Make a copy']);
  });

  it('are made from a task, in the menu of its page', async () => {
    const taskId = await web.runTask(['say hello to Ann'], [], { title: 'Greeting' });
    await page.goto(`${web.base}/app/${taskId}`);
    await hand.press('More task actions');
    await page.getByRole('menuitem', { name: 'Save as recipe' }).click();
    await expect.poll(() => hand.field('Task description').inputValue()).toBe('say hello to Ann');
    expect(await hand.field('Name', hand.dialog()).inputValue()).toBe('Greeting');
    await hand.field('Task description').fill('say hello to {{name}}');
    await hand.press('Create', hand.dialog());
    await page.getByRole('list', { name: 'Yours' }).getByText('Greeting').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await own()).toMatchObject([{ name: 'Greeting', fields: [{ name: 'name', type: 'text' }] }, {}]);
  });

  it('are deleted after confirmation', async () => {
    await hand.press('Actions for Greeting');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await hand.press('Delete', hand.dialog('Delete Greeting?'));
    await hand.said('Recipe deleted.').waitFor();
    expect(await own()).toMatchObject([{ name: 'Team briefing' }]);
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
