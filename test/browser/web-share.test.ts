import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../support/service/service-client.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

it('a shared task can be read live by everybody who has the URL, as long as it is shared', async () => {
  await using web = await WebUnderTest.start();
  const taskId = await web.runTask(
    ['write secret.txt with the words of the tool', 'document report.md with # Findings', 'say All is **well**'],
    [],
    { title: 'Weekly report', share_visibility: 'public' },
  );
  const { task } = (await web.call('task.detail', { task_id: taskId })) as { task: { share_url: string } };
  const path = new URL(task.share_url).pathname;
  const answer = await fetch(web.base + path);
  expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow']);
  const text = await answer.text();
  expect(text).toContain('<noscript>');
  expect(text).toContain('<title>Weekly report · Errand</title>');
  const visitor = await web.newVisitor();
  const page = await web.open(path, visitor);
  await page.getByRole('heading', { name: 'Weekly report' }).waitFor();
  await page.getByText('well', { exact: true }).waitFor();
  expect(await page.getByText('ann@example.com').count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);
  await examine(page, 'share');
  await page.getByRole('button', { name: /report\.md/ }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Findings' }).waitFor();
  await examine(page, 'share-file');
  await page.keyboard.press('Escape');
  // In a wide window the result is beside the conversation, and files open there.
  await page.setViewportSize({ width: 1920, height: 1080 });
  const result = page.getByRole('complementary', { name: 'Result' });
  await result.getByRole('tab', { name: 'secret.txt' }).click();
  await page
    .getByRole('log')
    .getByRole('button', { name: /report\.md/ })
    .click();
  await result.getByRole('heading', { name: 'Findings' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await examine(page, 'share-wide');
  await page.setViewportSize({ width: 1000, height: 900 });
  await result.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '2 files' }).click();
  const files = page.getByRole('dialog', { name: 'Files' });
  await examine(page, 'share-files');
  expect(await files.getByRole('link', { name: 'Download report.md' }).getAttribute('href')).toContain(web.service.contentUrl);
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: 'Download all files' }).click(),
  ]);
  expect(zip.suggestedFilename()).toBe('Weekly report.zip');
  expect(Object.keys(unzipSync(readFileSync(await zip.path())))).toEqual(['secret.txt', 'report.md']);
  await page.keyboard.press('Escape');
  await web.call('task.sendMessage', { task_id: taskId, message: { content: 'say And it goes on' } });
  await page.getByText('And it goes on', { exact: true }).last().waitFor();
  await web.call('task.update', { task_id: taskId, share_visibility: 'private' });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await page.getByRole('link', { name: 'Go to Errand' }).getAttribute('href')).toBe('/');
  expect(await page.content()).not.toContain('Weekly report');
  await examine(page, 'share-over');
  // For a team: visitors must sign in, and members see it.
  const made = await web.context.request.post(`${web.base}/web/team.create`, {
    headers: { 'x-errand-web': '1' },
    data: { name: 'Us' },
  });
  expect(made.status()).toBe(200);
  const shared = (await web.call('task.update', { task_id: taskId, share_visibility: 'team' })) as { share_url: string };
  const teamPath = new URL(shared.share_url).pathname;
  await page.goto(web.base + teamPath);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe(teamPath);
  const mine = await web.open(teamPath);
  await mine.getByRole('heading', { name: 'Weekly report' }).waitFor();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});

it("a team's task can be read by its members, who see no action that they may not take", async () => {
  await using web = await WebUnderTest.start();
  const member = await web.newMember('bob@example.com');
  const lines = ['plan Collect the figures; Write the report', 'document report.md with # Findings', 'say All is **well**'];
  const taskId = await web.runTask(lines, [], { title: 'Weekly report', share_visibility: 'team', interactive_mode: true });
  const page = await web.open(`/app/${taskId}`, member);
  await page.getByRole('note').getByText('Shared by ann@example.com with the team Research.').waitFor();
  await page.getByText('well', { exact: true }).waitFor();
  const main = page.getByRole('main');
  expect(await main.getByRole('textbox').count()).toBe(0);
  expect(await main.getByRole('button', { name: /Share|Rename|Stop|Send/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'More task actions' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Expand all', 'Download all files']);
  await page.keyboard.press('Escape');
  // A menu that closes gives the focus back to its button, and the tip of a button goes with the focus.
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.getByRole('log').focus();
  await page.locator('[data-radix-popper-content-wrapper]').waitFor({ state: 'detached' });
  await examine(page, 'task-reader');
  // It updates live, and only the owner can answer its questions.
  await web.call('task.sendMessage', { task_id: taskId, message: { content: 'ask Which one? Blue or green' } });
  await page.getByRole('article').filter({ hasText: 'Which one?' }).last().waitFor();
  expect(
    await page
      .getByRole('log')
      .getByRole('button', { name: /^(Blue|Green)/ })
      .count(),
  ).toBe(0);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const key of ['/', 'Control+.', 'e', 'Escape']) await page.keyboard.press(key);
  await eventually('a pause', async () => ((await page.title()) === 'Weekly report · Errand' ? true : null));
  expect(refused).toEqual([]);
  await web.call('task.update', { task_id: taskId, share_visibility: 'private' });
  await page.getByRole('heading', { name: 'Task not found' }).waitFor();
  // Its owner has all of it at the same address.
  const mine = await web.open(`/app/${taskId}`);
  await mine.getByLabel('Message to the agent').waitFor();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
