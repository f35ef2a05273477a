import { expect, it } from 'vitest';
import { systemPrompt } from './system-prompt.ts';

it('the system prompt contains the instructions of the caller and the project, unchanged at every step', () => {
  const facts = { locale: 'en', isInteractive: false, skills: [] };
  const taskConfig = { instruction: 'Be brief.', instructions: 'Talk like a pirate.' };
  const prompt = systemPrompt({ ...facts, taskConfig });
  expect(prompt).toContain('holds throughout:\nBe brief.');
  expect(prompt).toContain('Instructions of the user for this task:\nTalk like a pirate.');
  expect(prompt).toBe(systemPrompt({ ...facts, taskConfig }));
  expect(systemPrompt({ ...facts, taskConfig: {} })).not.toContain('Instructions of the user');
});

it('the system prompt of a subtask says that its reader is another agent, and gives the user nothing', () => {
  const facts = { locale: 'en', isInteractive: false, skills: [], taskConfig: {} };
  expect(systemPrompt({ ...facts, depth: 1 })).toContain('Your reader is another agent');
  expect(systemPrompt({ ...facts, depth: 1 })).not.toContain('the user sees no other');
  expect(systemPrompt({ ...facts, depth: 0 })).toContain('the user sees no other');
});

it('the system prompt has no date, says that old results disappear, and asks before expensive work only where it can', () => {
  const facts = { locale: 'en', skills: [], taskConfig: {} };
  const prompts = [true, false].map((isInteractive) => systemPrompt({ ...facts, isInteractive }));
  for (const prompt of prompts) {
    expect(prompt).toContain('Old tool results disappear');
    expect(prompt).not.toMatch(/20\d\d/);
  }
  expect(prompts.map((prompt) => prompt.includes('before expensive work'))).toEqual([true, false]);
});

it('the system prompt names a language that was chosen, and otherwise asks for that of the message', () => {
  const languageOf = (locale: string, taskConfig = {}) => {
    return systemPrompt({ locale, isInteractive: false, skills: [], taskConfig }).match(/^- Write .*$/m)?.[0];
  };
  expect(languageOf('en')).toBe("- Write in the language of the user's message; if unclear, in English.");
  expect(languageOf('en', { hasOwnLocale: true })).toBe('- Write for the user in English (en), unless the task asks otherwise.');
  expect(languageOf('de')).toBe('- Write for the user in German (de), unless the task asks otherwise.');
});
