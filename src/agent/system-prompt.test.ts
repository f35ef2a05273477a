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
