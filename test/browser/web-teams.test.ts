import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

const bob = 'bob@example.com';
const phone = { width: 390, height: 844 };

let web: WebUnderTest;
/** Bob's browser; he is in the team of the owner. */
let member: BrowserContext;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  member = await web.newMember(bob);
  page = await web.open('/team', member);
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const currentOf = async () => ((await web.callWeb('session.show', {}, member)).team as Answer | null)?.name ?? null;
const recipe = { message_template: 'Go', fields: [], team: true };
const menu = () => page.getByRole('menu');
const choice = (name: string) => menu().getByRole('menuitemradio', { name, exact: true });

describe('somebody in a team', () => {
  it('creates another, which is current at once and has nothing of the first', async () => {
    await web.call('recipe.create', { ...recipe, name: 'Of Research' });
    await page.getByRole('heading', { name: 'Your teams' }).waitFor();
    await examine(page, 'teams-one');
    await hand.field('Team name').fill('Garden');
    await hand.press('Create team');
    await page.getByText('You are the owner of Garden').waitFor();
    expect(await currentOf()).toBe('Garden');
    await page.getByRole('button', { name: 'Switch: Research' }).waitFor();
    await examine(page, 'teams-two');
    await page.goto(`${web.base}/recipes`);
    await page.getByRole('list', { name: 'Ready to use' }).waitFor();
    expect(await page.getByText('Of Research').count()).toBe(0);
  });

  it('switches in the account menu with the keyboard, and sees the other library', async () => {
    await page.getByRole('button', { name: bob }).focus();
    await page.keyboard.press('Enter');
    await choice('Research').waitFor();
    expect(await choice('Garden').getAttribute('aria-checked')).toBe('true');
    await choice('Research').focus();
    await page.keyboard.press('Enter');
    await hand.said('You’re now in Research.').waitFor();
    await page.getByText('Of Research').waitFor();
    expect(await currentOf()).toBe('Research');
  });

  it('switches on a phone', async () => {
    await page.setViewportSize(phone);
    await page.goto(`${web.base}/team`);
    await page.getByRole('button', { name: 'Switch: Garden' }).click();
    await page.getByText('You are the owner of Garden').waitFor();
    expect(await currentOf()).toBe('Garden');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('joins a further one by invitation', async () => {
    const visitor = await web.newVisitor();
    await web.operate('account.create', { email: 'eve@example.com', password: 'a long password of eve' });
    const other = await web.open('/sign-in', visitor);
    await web.signIn(other, 'eve@example.com', 'a long password of eve');
    await other.waitForURL((url) => url.pathname === '/');
    await web.callWeb('team.create', { name: 'Orchard' }, visitor);
    const { token } = await web.callWeb('team.invite', { email: bob, role: 'member' }, visitor);
    await page.goto(`${web.base}/team/accept?token=${String(token)}`);
    await page.getByText('Orchard becomes your current team. You stay in Garden').waitFor();
    await hand.press('Join team');
    await page.getByText('You are a member of Orchard').waitFor();
    const { teams } = await web.callWeb('session.show', {}, member);
    expect((teams as Answer[]).map(({ name, role }) => [name, role])).toEqual([
      ['Garden', 'owner'],
      ['Orchard', 'member'],
      ['Research', 'member'],
    ]);
  });

  it('joins even if the switch after it fails, and says how to switch', async () => {
    const owner = await web.newVisitor();
    await web.operate('account.create', { email: 'kim@example.com', password: 'a long password of kim' });
    const other = await web.open('/sign-in', owner);
    await web.signIn(other, 'kim@example.com', 'a long password of kim');
    await other.waitForURL((url) => url.pathname === '/');
    await web.callWeb('team.create', { name: 'Meadow' }, owner);
    const { token } = await web.callWeb('team.invite', { email: bob, role: 'member' }, owner);
    await page.goto(`${web.base}/team/accept?token=${String(token)}`);
    await page.route('**/team.switch', (route) => route.abort());
    await hand.press('Join team');
    await hand.said('You joined Meadow. Switching to Meadow didn’t work').waitFor();
    await page.unroute('**/team.switch');
    expect(await currentOf()).toBe('Orchard');
    await hand.press('Switch: Meadow');
    await page.getByText('You are a member of Meadow').waitFor();
    await hand.press('Switch: Orchard');
    await page.getByText('You are a member of Orchard').waitFor();
  });

  it('joins another team and stays in the current one, if they want', async () => {
    const owner = await web.newVisitor();
    await web.operate('account.create', { email: 'lea@example.com', password: 'a long password of lea' });
    const other = await web.open('/sign-in', owner);
    await web.signIn(other, 'lea@example.com', 'a long password of lea');
    await other.waitForURL((url) => url.pathname === '/');
    await web.callWeb('team.create', { name: 'Pond' }, owner);
    const { token } = await web.callWeb('team.invite', { email: bob, role: 'member' }, owner);
    await page.goto(`${web.base}/team/accept?token=${String(token)}`);
    await hand.press('Join and stay in Orchard');
    await hand.said('You joined Pond.').waitFor();
    expect(await currentOf()).toBe('Orchard');
    await page.getByText('You are a member of Orchard').waitFor();
  });

  it('is in no team after leaving the current one, until a switch', async () => {
    await hand.press(`Leave: ${bob}`);
    await hand.press('Leave', hand.dialog());
    await hand.said('You left the team.').waitFor();
    expect(await currentOf()).toBeNull();
    await hand.press('Switch: Research');
    await page.getByText('You are a member of Research').waitFor();
    expect(await page.getByRole('table', { name: 'Your teams' }).getByText('Orchard').count()).toBe(0);
  });
});
