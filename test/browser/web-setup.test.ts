import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { PageHand } from './page-hand.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

const script = "mkdir tools\nprintf 'echo seven times eight is 56' >tools/multiply.sh\necho the tools are there";

describe.skipIf(!testSandbox)('the setup script of a project', () => {
  let web: WebUnderTest;
  let page: Page;
  let hand: PageHand;

  beforeAll(async () => {
    web = await WebUnderTest.start();
    page = await web.open('/projects');
    hand = new PageHand(page);
  });
  afterAll(() => web[Symbol.asyncDispose]());

  /** A task of the project that uses commands; returns what it said. */
  async function work(line: string): Promise<string> {
    const { data } = (await web.call('project.list')) as { data: { id: string }[] };
    const task_id = await web.runTask([line], [], { project_id: data[0]?.id });
    return JSON.stringify(await web.call('task.listMessages', { task_id, verbose: true }));
  }

  it('is given on the page of the project, and has not run before a task needs it', async () => {
    await hand.press('New project');
    await hand.field('Name').fill('Sums');
    await hand.field(/^Setup script/).fill(script);
    await hand.press('Create');
    await page.getByRole('heading', { name: 'Sums', level: 1 }).waitFor();
    await page.getByText('Not run yet', { exact: true }).waitFor();
    expect(await hand.field(/^Setup script/).inputValue()).toBe(script);
    await examine(page, 'project-setup-pending');
  });

  it('has run for the first task, and the page shows what it wrote', async () => {
    expect(await work('run bash /opt/project/tools/multiply.sh')).toContain('seven times eight is 56');
    await page.reload();
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByLabel('Output of the setup script').getByText('the tools are there').waitFor();
    await examine(page, 'project-setup-ready');
  });

  it('that fails shows where, and runs for a task again once it is changed', async () => {
    await hand.field(/^Setup script/).fill('echo before\nno-such-program\necho after');
    await hand.press('Save');
    await page.getByText('Not run yet', { exact: true }).waitFor();
    expect(await work('run echo without it')).toContain('without it');
    await page.reload();
    await page.getByText('Failed', { exact: true }).waitFor();
    const output = await page.getByLabel('Output of the setup script').textContent();
    expect(output).toMatch(/before[^]*no-such-program: command not found/);
    expect(output).not.toContain('after');
    await examine(page, 'project-setup-failed');
  });

  it('beyond its length is refused at its field', async () => {
    const field = hand.field(/^Setup script/);
    await page.evaluate(`for (const area of document.querySelectorAll('textarea')) area.removeAttribute('maxlength')`);
    await field.fill('#'.repeat(20_001));
    await hand.press('Save');
    await page.getByText(/20,?000 characters/).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  });
});
