import { expect, it } from 'vitest';
import { examine, WebUnderTest } from './web-under-test.ts';

it('what is shared is read by everybody who has the address, live, and no longer than it is shared', {
  timeout: 120_000,
}, async () => {
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
  expect(await answer.text()).toContain('<noscript>');
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
  await web.call('task.sendMessage', { task_id: taskId, message: { content: 'say And it goes on' } });
  await page.getByText('And it goes on', { exact: true }).last().waitFor();
  await web.call('task.update', { task_id: taskId, share_visibility: 'private' });
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  expect(await page.content()).not.toContain('Weekly report');
  await examine(page, 'share-over');
  // For a team: whoever comes is asked who they are, and its members see it.
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
