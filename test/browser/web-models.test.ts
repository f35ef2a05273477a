import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, useModelServer } from '../support/models/model-server.ts';
import { PageHand } from './page-hand.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

const key = 'key-canary-0123456789-wxyz';

let server: ModelServer;
useModelServer((started) => {
  server = started;
});

describe('the first model', () => {
  let web: WebUnderTest;
  let page: Page;
  let hand: PageHand;

  beforeAll(async () => {
    web = await WebUnderTest.start({ ERRAND_MODEL: '' });
    page = await web.open('/');
    hand = new PageHand(page);
  });
  afterAll(() => web[Symbol.asyncDispose]());

  it('is asked for above a task, which still fits the window', async () => {
    await page.goto(`${web.base}/app/${await web.createTask('say hello')}`);
    await page.getByText('No language model is connected yet.').waitFor();
    const composer = page.getByRole('textbox', { name: 'Message' });
    const { y, height } = (await composer.boundingBox()) ?? { y: Number.NaN, height: 0 };
    expect(y + height).toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(await page.evaluate('document.documentElement.scrollHeight - window.innerHeight')).toBe(0);
    await page.goto(web.base);
  });

  it('is asked for below a message in plain language, for which nothing is charged', async () => {
    await page.goto(`${web.base}/app/${await web.createTask('Please compare three laptops.')}`);
    await page.getByText('Nothing was done, and nothing was charged.').waitFor();
    const conversation = page.getByRole('main').getByRole('log');
    expect(await conversation.getByRole('link', { name: 'Connect a model' }).count()).toBe(1);
    expect(await conversation.getByText('Done', { exact: true }).count()).toBe(0);
    await examine(page, 'task-unanswered');
    await page.goto(web.base);
  });

  it('is asked for on every page, and the notice leads the owner to where it is connected', async () => {
    await page.getByText('No language model is connected yet.').waitFor();
    await page.getByRole('link', { name: 'Connect a model' }).click();
    await page.waitForURL('**/instance/models');
    await page.getByRole('radio', { name: 'Anthropic' }).waitFor();
    expect(await page.getByText('No language model is connected yet.').count()).toBe(0);
    await examine(page, 'models-first');
  });

  it('is tested with its key, and an error of the provider is shown as it is', async () => {
    await page.getByText('OpenAI-compatible', { exact: true }).click();
    await hand.field('Model').first().fill('first');
    await hand.field('Base URL').fill(server.openaiUrl);
    await page.getByLabel(/^API key/).fill(key);
    await server.script([{ steps: [{ status: 401, body: '{"error":{"message":"no such key"}}' }], repeatsLast: true }]);
    await hand.press('Test');
    await page.getByText('compatible/first: the request was refused (401): no such key').waitFor();
    await server.script([{ steps: [{ text: 'ready' }], repeatsLast: true }]);
    await hand.press('Test');
    await page.getByText(/^compatible\/first answered in \d+ ms\.$/).waitFor();
    expect(await web.callWeb('session.show')).toMatchObject({ instance: { is_owner: true, has_model: false } });
    await examine(page, 'models-tested');
  });

  it('is used for the next task once it is saved, and its key is never shown again', async () => {
    await hand.press('Save');
    await hand.said('Model saved.').waitFor();
    await page.getByText('compatible/first', { exact: true }).first().waitFor();
    expect(await page.getByText('Same as Standard').count()).toBe(2);
    await hand.press('Change the model of Standard');
    await page.getByText('A key that ends with wxyz is stored.').waitFor();
    expect(await page.getByLabel(/^API key/).inputValue()).toBe('');
    await examine(page, 'models-change');
    await server.script([{ steps: [{ text: 'These are the words of the model.' }], repeatsLast: true }]);
    await page.goto(web.base);
    await hand.field('Task description').fill('Say a few words');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/app/*');
    await page.getByText('These are the words of the model.', { exact: true }).last().waitFor();
    expect(await page.getByText('No language model is connected yet.').count()).toBe(0);
    expect((await server.calls()).at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('can be removed again, and others are told to ask the owner', async () => {
    await page.goto(`${web.base}/instance/models`);
    await hand.press('Reset to default');
    await hand.said('Model reset.').waitFor();
    const member = await web.open('/instance/models', await web.newMember('bob@example.com'));
    await member.getByText('Only owners of this instance can see this.').waitFor();
    await member.goto(web.base);
    await member.getByText('Ask the owner of this instance to connect one.').waitFor();
    expect(await member.getByRole('link', { name: 'Connect a model' }).count()).toBe(0);
  });
});

describe('models that the environment sets', () => {
  it('are shown without a way to change them', async () => {
    await using web = await WebUnderTest.start();
    const page = await web.open('/instance/models');
    await page.getByText('Set by the environment').waitFor();
    await page.getByText('remove ERRAND_MODEL from the environment').waitFor();
    expect(await page.getByRole('button', { name: 'Change the model of Standard' }).count()).toBe(0);
    expect(await page.getByText('No language model is connected yet.').count()).toBe(0);
    // The built-in model needs no test.
    expect(await page.getByRole('button', { name: 'Test the model of Standard' }).count()).toBe(0);
    await examine(page, 'models-environment');
  });

  it('are tested with one press, so an outage that an alert leads to is seen as the provider tells it', async () => {
    const env = { ERRAND_MODEL: 'compatible/far', ERRAND_MODEL_BASE_URL: server.openaiUrl, ERRAND_MODEL_API_KEY: key };
    await using web = await WebUnderTest.start(env);
    const page = await web.open('/instance/models');
    await server.script([{ steps: [{ status: 503, body: '{"error":{"message":"closed for today"}}' }], repeatsLast: true }]);
    await new PageHand(page).press('Test the model of Standard');
    await page.getByText(/^compatible\/far: .*closed for today/).waitFor();
    await examine(page, 'models-outage');
    await server.script([{ steps: [{ text: 'ready' }], repeatsLast: true }]);
    await new PageHand(page).press('Test the model of Standard');
    await page.getByText(/^compatible\/far answered in \d+ ms\.$/).waitFor();
    expect(await page.getByText(/closed for today/).count()).toBe(0);
  });
});

describe('models with a key of the account', () => {
  it('are set, tested, and removed in the settings of everybody, and do the work', async () => {
    await using web = await WebUnderTest.start({ ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8' });
    const page = await web.open('/settings/model-keys', await web.newMember('bob@example.com'));
    const hand = new PageHand(page);
    await page.getByText('Uses the service’s model').first().waitFor();
    await examine(page, 'model-keys-none');
    await hand.press('Use your own key for Standard');
    expect(await page.getByRole('radio').count()).toBe(4);
    await page.getByText('OpenAI-compatible', { exact: true }).click();
    await hand.field('Model').first().fill('mine');
    await hand.field('Base URL').fill(server.openaiUrl);
    await page.getByLabel(/^API key/).fill(key);
    await server.script([{ steps: [{ text: 'ready' }], repeatsLast: true }]);
    await hand.press('Test');
    await page.getByText(/^compatible\/mine answered in \d+ ms\.$/).waitFor();
    await hand.press('Save');
    await hand.said('Model saved.').waitFor();
    await page.getByText('Key that ends with wxyz').waitFor();
    expect(await page.getByText('Same as Standard').count()).toBe(2);
    expect(await page.content()).not.toContain('canary');
    await examine(page, 'model-keys-set');
    await hand.press('Remove your key for Standard');
    await hand.press('Remove');
    await hand.said('Key removed.').waitFor();
    await page.getByText('Uses the service’s model').first().waitFor();
    expect((await server.calls()).at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  });
});
