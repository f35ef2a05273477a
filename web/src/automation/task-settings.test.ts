import { expect, it } from 'vitest';
import { readTaskSettings, settingsOf, toTaskFields } from './task-settings.tsx';

it('settings of tasks leave a form as they came in', () => {
  const source = {
    ...{ project_id: 'p', agent_profile: 'service-1.6', interactive_mode: true },
    budget: { credits: 50, on_limit: 'end' as const },
    decision_timeout: { seconds: 90, answer: 'Take the cheaper one.' },
  };
  expect(toTaskFields(readTaskSettings(source))).toEqual(source);
});

it('settings that are not there are cleared', () => {
  const cleared = { project_id: null, agent_profile: null, interactive_mode: false, budget: null, decision_timeout: null };
  expect(toTaskFields(readTaskSettings(null))).toEqual(cleared);
});

it('a budget in money is sent as an amount', () => {
  const settings = readTaskSettings(null);
  const limits = { ...settings.limits, budget: { amount: '2.5', unit: 'money' as const } };
  expect(toTaskFields({ ...settings, limits }).budget).toEqual({ money: { amount: 2.5 }, on_limit: 'wait' });
});

it('settings that a recipe brought leave with it, unless somebody has changed them', () => {
  const own = { interactive_mode: true, project_id: 'p', is_shipped: false };
  const shipped = { interactive_mode: false, is_shipped: true };
  const brought = readTaskSettings(own);
  expect(settingsOf(own, undefined, readTaskSettings(null))).toEqual({ settings: brought });
  expect(settingsOf(shipped, own, brought)).toEqual({ settings: readTaskSettings(null) });
  expect(settingsOf(undefined, own, brought)).toEqual({ settings: readTaskSettings(null) });
  expect(settingsOf(shipped, own, { ...brought, profile: 'x' })).toEqual({});
  expect(settingsOf(shipped, undefined, brought)).toEqual({});
});
