import { expect, it } from 'vitest';
import { lookUpFacts } from './model-facts.ts';

it('distinguishes the smaller models of a family from the larger', () => {
  const price = (name: string) => lookUpFacts(name, false).price?.input ?? Number.NaN;
  expect(price('claude-haiku-4-5')).toBeLessThan(price('claude-sonnet-4-5'));
  expect(price('claude-sonnet-4-5')).toBeLessThan(price('claude-opus-4-5'));
  expect(price('gpt-5-nano')).toBeLessThan(price('gpt-5-mini'));
  expect(price('gpt-5-mini')).toBeLessThan(price('gpt-5'));
  expect(price('gemini-2.5-flash-lite')).toBeLessThan(price('gemini-2.5-flash'));
  expect(price('anthropic/claude-sonnet-4.5')).toBe(price('claude-sonnet-4-5'));
});

it('leaves space for a reply in the window of every model', () => {
  for (const name of [
    'claude-opus-4-5',
    'gpt-5',
    'gpt-4o',
    'gemini-3-pro',
    'gpt-oss-120b',
    'claude-3-haiku-20240307',
    'o3',
    'something-else',
  ]) {
    const { window, outputLimit } = lookUpFacts(name, false);
    expect(outputLimit).toBeLessThanOrEqual(window / 4);
  }
});

it('charges nothing for a local model, whatever its name', () => {
  expect(lookUpFacts('gpt-oss:20b', true).price).toEqual({ input: 0, output: 0 });
});

it.each([
  ['claude-opus-5-5', { input: 400, output: 2000, cached: 20, written: 500 }],
  ['claude-opus-4-8', { input: 500, output: 2500, cached: 50, written: 625 }],
  ['claude-opus-4-1-20250805', { input: 1500, output: 7500, cached: 150, written: 1875 }],
  ['claude-opus-4-20250514', { input: 1500, output: 7500, cached: 150, written: 1875 }],
  ['claude-sonnet-5-5', { input: 200, output: 1000, cached: 10, written: 250 }],
  ['claude-sonnet-4-20250514', { input: 300, output: 1500, cached: 30, written: 375 }],
  ['claude-3-7-sonnet-latest', { input: 300, output: 1500, cached: 30, written: 375 }],
  ['anthropic/claude-haiku-4.5', { input: 100, output: 500, cached: 10, written: 125 }],
  ['gpt-5', { input: 125, output: 1000, cached: 13 }],
  ['gpt-5-2025-08-07', { input: 125, output: 1000, cached: 13 }],
  ['gpt-5.6', { input: 200, output: 1000, cached: 20, written: 250 }],
  ['openai/gpt-4o-mini', { input: 15, output: 60, cached: 8 }],
  ['o3', { input: 200, output: 800, cached: 50 }],
  ['gemini-3.1-pro-preview', { input: 200, output: 1200, cached: 20 }],
  ['gemini-2.5-flash', { input: 30, output: 250, cached: 3 }],
])('knows the price of %s', (name, price) => {
  expect(lookUpFacts(name, false).price).toEqual(price);
});

it.each([
  'claude-opus-6',
  'claude-haiku-5',
  'gpt-7',
  'gpt-5.4-pro',
  'gpt-5.4-mini',
  'gemini-4-pro',
  'gpt-oss-120b',
  'mock',
  'qwen3-max',
])('has a window but no price for %s, rather than the price of another model', (name) => {
  const { price, window, outputLimit } = lookUpFacts(name, false);
  expect(price).toBeNull();
  expect(window).toBeGreaterThanOrEqual(128_000);
  expect(outputLimit).toBeLessThanOrEqual(window / 4);
});

it('ends a window where the provider starts charging more', () => {
  expect(lookUpFacts('gpt-5.5', false).window).toBeLessThanOrEqual(272_000);
  expect(lookUpFacts('gemini-2.5-pro', false).window).toBeLessThanOrEqual(200_000);
});
