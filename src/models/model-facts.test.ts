import { expect, it } from 'vitest';
import { lookUpFacts } from './model-facts.ts';

it('knows the smaller models of a family from the larger', () => {
  const price = (name: string) => lookUpFacts(name, false).price.input;
  expect(price('claude-haiku-4-5')).toBeLessThan(price('claude-sonnet-4-5'));
  expect(price('claude-sonnet-4-5')).toBeLessThan(price('claude-opus-4-5'));
  expect(price('gpt-5-nano')).toBeLessThan(price('gpt-5-mini'));
  expect(price('gpt-5-mini')).toBeLessThan(price('gpt-5'));
  expect(price('gemini-2.5-flash-lite')).toBeLessThan(price('gemini-2.5-flash'));
  expect(price('anthropic/claude-sonnet-4.5')).toBe(price('claude-sonnet-4-5'));
});

it('leaves room for a reply in the window of every model', () => {
  for (const name of ['claude-opus-4-5', 'gpt-5', 'gpt-4o', 'gemini-3-pro', 'gpt-oss-120b', 'something-else']) {
    const { window, outputLimit } = lookUpFacts(name, false);
    expect(outputLimit).toBeLessThanOrEqual(window / 4);
  }
});

it('asks nothing for a model on the own machine, whatever its name', () => {
  expect(lookUpFacts('gpt-oss:20b', true).price).toEqual({ input: 0, output: 0 });
});
