import type { Page } from 'playwright-core';
import type { BrowserStep } from '../browser-step.ts';
import { pause, readTimer, within } from './deadline.ts';
import { downloadFrom, place, uploadTo } from './files.ts';
import { findTarget, isShown } from './find-target.ts';
import type { Tabs } from './tabs.ts';
import { typedMark } from './typed-mark.ts';

const actionMs = 10_000;
const openMs = 20_000;
const settleMs = 3_000;
const evaluateMs = 10_000;
const longestValue = 4_000;
const pagePixels = 700;

type Step<Kind extends BrowserStep['do']> = Extract<BrowserStep, { do: Kind }>;

export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded', { timeout: actionMs }).catch(() => undefined);
  await page.waitForLoadState('networkidle', { timeout: settleMs }).catch(() => undefined);
}

async function open(tabs: Tabs, { url, new_tab: isNew }: Step<'open'>): Promise<string> {
  const page = isNew ? await tabs.add() : await tabs.ensureAnswer();
  const response = await page.goto(url, { timeout: openMs, waitUntil: 'domcontentloaded' }).catch((error: unknown) => {
    if (!/Download is starting/.test(String(error))) throw error;
    throw new Error('this is a file, not a page; fetch_url reads it');
  });
  await settle(page);
  const status = response?.status() ?? 200;
  return `opened ${url}${status >= 400 ? ` (status ${status})` : ''}`;
}

async function type(page: Page, { target, text, submit }: Step<'type'>): Promise<string> {
  const field = await findTarget(page, target);
  await field.fill(text, { timeout: actionMs });
  if (!submit) return `typed into ${target}`;
  await field.press('Enter', { timeout: actionMs });
  await settle(page);
  return `typed into ${target} and pressed Enter`;
}

async function press(page: Page, { keys, target }: Step<'press'>): Promise<string> {
  if (target === undefined) await page.keyboard.press(keys);
  else await (await findTarget(page, target)).press(keys, { timeout: actionMs });
  await settle(page);
  return `pressed ${keys}`;
}

async function scroll(page: Page, { pages, target }: Step<'scroll'>): Promise<string> {
  if (target === undefined) await page.mouse.wheel(0, pages * pagePixels);
  else await (await findTarget(page, target)).scrollIntoViewIfNeeded({ timeout: actionMs });
  await settle(page);
  return target === undefined ? `scrolled by ${pages}` : `scrolled to ${target}`;
}

async function wait(tabs: Tabs, { seconds, text, gone: isAwaitedGone }: Step<'wait'>): Promise<string> {
  const end = readTimer() + seconds * 1000;
  while (readTimer() < end) {
    if (text !== undefined && (await isShown(tabs.page, text)) !== isAwaitedGone) {
      return isAwaitedGone ? `"${text}" is gone` : `"${text}" is shown`;
    }
    await pause(Math.min(200, Math.max(0, end - readTimer())));
  }
  if (text === undefined) return `waited ${seconds} s`;
  throw new Error(isAwaitedGone ? `"${text}" is still shown after ${seconds} s` : `"${text}" was not shown within ${seconds} s`);
}

async function screenshot(page: Page, { path, whole, target }: Step<'screenshot'>, workspace: string): Promise<string> {
  const file = await place(workspace, path);
  const mask = page.frames().map((frame) => frame.locator(`[${typedMark}]`));
  const options = { path: file, timeout: actionMs, mask };
  if (target === undefined) await page.screenshot({ ...options, fullPage: whole });
  else await (await findTarget(page, target)).screenshot(options);
  return `saved a picture as ${path}`;
}

async function evaluate(tabs: Tabs, { expression }: Step<'evaluate'>): Promise<string> {
  const { page } = tabs;
  const outcome = page.evaluate<unknown>(expression).then(
    (value) => ({ text: JSON.stringify(value) ?? 'undefined' }),
    (error: unknown) => ({ error }),
  );
  const value = await within(evaluateMs, outcome);
  if (value === 'late') {
    await tabs.ensureAnswer();
    throw new Error(`the expression did not end within ${evaluateMs / 1000} s`);
  }
  if ('error' in value) throw value.error;
  return `the expression is ${value.text.slice(0, longestValue)}${value.text.length > longestValue ? '… (cut)' : ''}`;
}

async function actOn(page: Page, step: Step<'click' | 'select' | 'check' | 'hover'>): Promise<string> {
  const found = await findTarget(page, step.target);
  const timeout = actionMs;
  switch (step.do) {
    case 'click':
      await found.click({ timeout, button: step.button, clickCount: step.count });
      await settle(page);
      return `clicked ${step.target}`;
    case 'select':
      await found.selectOption(step.values, { timeout });
      return `selected ${step.values.join(', ')} in ${step.target}`;
    case 'check':
      await found.setChecked(step.on, { timeout });
      return `${step.on ? 'checked' : 'unchecked'} ${step.target}`;
    case 'hover':
      await found.hover({ timeout });
      return `hovered over ${step.target}`;
  }
}

async function move(page: Page, { do: direction }: Step<'back' | 'forward' | 'reload'>): Promise<string> {
  if (direction === 'back') await page.goBack({ timeout: actionMs });
  else if (direction === 'forward') await page.goForward({ timeout: actionMs });
  else await page.reload({ timeout: actionMs });
  await settle(page);
  return direction === 'reload' ? 'loaded the page again' : `went ${direction}`;
}

/** What concerns the tabs themselves, and not a page. */
async function arrange(tabs: Tabs, step: Step<'tab' | 'close_tab' | 'viewport' | 'dialog' | 'look'>): Promise<string> {
  switch (step.do) {
    case 'tab':
      tabs.choose(step.number);
      return `went to tab ${step.number}`;
    case 'close_tab':
      await tabs.close();
      return 'closed the tab';
    case 'viewport':
      await tabs.resize({ width: step.width, height: step.height });
      return `set the window to ${step.width} × ${step.height}`;
    case 'dialog':
      tabs.answer = { accept: step.accept, text: step.text };
      return `dialogs will be ${step.accept ? 'accepted' : 'declined'}`;
    case 'look':
      return step.target === undefined ? 'looked at the page' : `looked at ${step.target}`;
  }
}

/** Performs one step, and says in a line what was done. */
export async function act(tabs: Tabs, step: BrowserStep, workspace: string): Promise<string> {
  const { page } = tabs;
  switch (step.do) {
    case 'open':
      return open(tabs, step);
    case 'click':
    case 'select':
    case 'check':
    case 'hover':
      return actOn(page, step);
    case 'type':
      return type(page, step);
    case 'press':
      return press(page, step);
    case 'scroll':
      return scroll(page, step);
    case 'wait':
      return wait(tabs, step);
    case 'screenshot':
      return screenshot(page, step, workspace);
    case 'evaluate':
      return evaluate(tabs, step);
    case 'upload':
      return uploadTo(page, await findTarget(page, step.target), workspace, step.paths);
    case 'download':
      return downloadFrom(tabs, await findTarget(page, step.target), workspace, step.path);
    case 'back':
    case 'forward':
    case 'reload':
      return move(page, step);
    default:
      return arrange(tabs, step);
  }
}
