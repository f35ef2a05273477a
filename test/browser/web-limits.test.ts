import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/settings/approvals');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const listed = async (operation: string) => ((await web.call(operation)) as { data: Answer[] }).data;
const form = (name: string) => page.getByRole('form', { name });
const rule = (place: number) => form('All your tasks').getByRole('listitem', { name: `Rule ${place}` });

describe('rules of approval', () => {
  it('are added, ordered, and removed, and take effect when they are saved', async () => {
    await page.getByText('No rules.').first().waitFor();
    await examine(page, 'approvals-empty');
    await hand.press('Add rule', form('All your tasks'));
    await rule(1).getByLabel('Decision').selectOption('never');
    await rule(1).getByLabel('Tool').fill('run_shell');
    await rule(1).getByLabel('Arguments contain').fill('git push');
    await hand.press('Add rule', form('All your tasks'));
    await rule(2).getByLabel('Decision').selectOption('always');
    await hand.press('Move rule 2 up', form('All your tasks'));
    expect(await rule(1).getByLabel('Decision').inputValue()).toBe('always');
    await hand.press('Move rule 2 up', form('All your tasks'));
    expect(await listed('policy.list')).toEqual([]);
    await examine(page, 'approvals');
    await hand.press('Save', form('All your tasks'));
    await hand.said('Rules saved.').waitFor();
    expect(await listed('policy.list')).toMatchObject([
      {
        scope: 'account',
        rules: [
          { decision: 'never', tool: 'run_shell', argument: 'git push' },
          { decision: 'always', tool: '*' },
        ],
      },
    ]);
    await page.reload();
    await hand.press('Remove rule 2', form('All your tasks'));
    await hand.press('Discard changes', form('All your tasks'));
    await rule(2).waitFor();
    await hand.press('Remove rule 2', form('All your tasks'));
    await hand.press('Remove rule 1', form('All your tasks'));
    await hand.press('Save', form('All your tasks'));
    await expect.poll(() => listed('policy.list')).toEqual([]);
  });

  it('are those of a project too, and of a team only for those who lead it', async () => {
    await web.call('project.create', { name: 'Garden' });
    const member = await web.newMember('bob@example.com');
    await page.reload();
    const garden = form('Tasks in Garden');
    await hand.press('Add rule', garden);
    await hand.press('Save', garden);
    await hand.said('Rules saved.').waitFor();
    expect(await listed('policy.list')).toMatchObject([{ scope: 'project', rules: [{ decision: 'ask', tool: '*' }] }]);
    await form('Everyone in Research').getByRole('button', { name: 'Add rule' }).waitFor();
    const theirs = await web.open('/settings/approvals', member);
    await theirs.getByText('Only the owner and admins of the team can change it.').waitFor();
    expect(await theirs.getByRole('form', { name: 'Everyone in Research' }).getByRole('button').count()).toBe(0);
    await theirs.close();
  });
});

describe('budgets', () => {
  it('are set, changed, and removed on the page of usage', async () => {
    await page.goto(`${web.base}/usage`);
    await page.getByText('No budgets.').waitFor();
    await hand.press('Set a budget');
    await hand.dialog().getByLabel('For').selectOption('project');
    await hand.dialog().getByLabel('Limit', { exact: true }).fill('500');
    await examine(page, 'budget-new');
    await hand.press('Save', hand.dialog());
    await hand.said('Budget saved.').waitFor();
    await page.getByText('0 of 500 credits used this month').waitFor();
    await hand.press('Change budget: Project Garden');
    await hand.dialog().getByLabel('Limit', { exact: true }).fill('900');
    await hand.press('Save', hand.dialog());
    await page.getByText('0 of 900 credits used this month').waitFor();
    await examine(page, 'budgets');
    expect(await listed('budget.list')).toMatchObject([{ scope: 'project', period: 'month', credits: 900 }]);
    await hand.press('Remove: Project Garden');
    await hand.press('Remove', hand.dialog());
    await page.getByText('No budgets.').waitFor();
  });

  it('of running tasks are limits beside them', async () => {
    await page.getByText('Running now: 0. No limits.').waitFor();
    await hand.press('Set a limit');
    await hand.dialog().getByLabel('For').selectOption('project');
    await hand.dialog().getByLabel('Tasks at once').fill('3');
    await examine(page, 'running-limit-new');
    await hand.press('Save', hand.dialog());
    await hand.said('Limit saved.').waitFor();
    await page.getByText('0 of 3 running').waitFor();
    await hand.press('Change limit: Project Garden');
    await hand.dialog().getByLabel('Tasks at once').fill('5');
    await hand.press('Save', hand.dialog());
    await page.getByText('0 of 5 running').waitFor();
    await examine(page, 'running-limits');
    expect(await listed('limit.list')).toMatchObject([{ scope: 'project', running_tasks: 5 }]);
    await hand.press('Remove: Project Garden');
    await hand.press('Remove', hand.dialog());
    await page.getByText('Running now: 0. No limits.').waitFor();
  });

  it('of the replies of a task are set in its workbench', async () => {
    const taskId = await web.runTask(['say hello']);
    await page.goto(`${web.base}/app/${taskId}`);
    const bench = page.getByRole('complementary', { name: 'Workbench' });
    await hand.press('Set a budget', bench);
    await hand.dialog().getByLabel('Limit', { exact: true }).fill('7');
    await hand.press('Save', hand.dialog());
    await bench.getByText('0 of 7 used').waitFor();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
