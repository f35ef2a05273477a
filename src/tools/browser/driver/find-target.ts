import type { Frame, Locator, Page } from 'playwright-core';
import { pause, readTimer } from './deadline.ts';

const patienceMs = 3_000;
const lookEveryMs = 150;
const reference = /^(f\d+)?e\d+$/;

const roles = [
  'button',
  'link',
  'textbox',
  'combobox',
  'checkbox',
  'radio',
  'tab',
  'menuitem',
  'searchbox',
  'option',
  'switch',
] as const;

/** What a person would mean by a text: a control with that name, a field with that label, then any text. */
async function findByWords(frame: Frame, target: string): Promise<Locator | null> {
  if (target.startsWith('css=')) {
    const found = frame.locator(target).first();
    return (await found.count()) > 0 ? found : null;
  }
  const exact = roles.map((role) => frame.getByRole(role, { name: target, exact: true }));
  const loose = roles.map((role) => frame.getByRole(role, { name: target }));
  const others = [frame.getByLabel(target), frame.getByPlaceholder(target), frame.getByText(target)];
  for (const candidate of [...exact, ...loose, ...others]) {
    const found = candidate.first();
    if ((await candidate.count()) > 0 && (await found.isVisible())) return found;
  }
  return null;
}

async function findInFrames(page: Page, target: string): Promise<Locator | null> {
  for (const frame of page.frames()) {
    const found = await findByWords(frame, target).catch(() => null);
    if (found) return found;
  }
  return null;
}

/** The element that a target names; one that appears only now is waited for. */
export async function findTarget(page: Page, target: string): Promise<Locator> {
  if (reference.test(target)) {
    const found = page.getByRef(target);
    if ((await found.count().catch(() => 0)) > 0) return found;
    throw new Error(`${target} is not on the page any more; take a reference from what the page shows now`);
  }
  const end = readTimer() + patienceMs;
  for (;;) {
    const found = await findInFrames(page, target);
    if (found) return found;
    if (readTimer() > end) throw new Error(`nothing on the page is called "${target}"`);
    await pause(lookEveryMs);
  }
}

/** Whether a text is shown in any frame of the page. */
export async function isShown(page: Page, text: string): Promise<boolean> {
  for (const frame of page.frames()) {
    const found = frame.getByText(text).filter({ visible: true });
    if ((await found.count().catch(() => 0)) > 0) return true;
  }
  return false;
}
