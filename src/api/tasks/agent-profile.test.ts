import { describe, expect, it } from 'vitest';
import { familyOf, nameProfile, readProfile } from './agent-profile.ts';

const families = ['service', 'manus', 'my-own'];

describe('an agent profile', () => {
  it.each([
    ['service-1.6', 'service-1.6'],
    ['manus-1.6', 'service-1.6'],
    ['manus-1.6-lite', 'service-1.6-lite'],
    ['my-own-1.6-max', 'service-1.6-max'],
    ['service-1.6-agent', 'service-1.6'],
    ['manus-1.6-lite-agent', 'service-1.6-lite'],
  ])('%s is stored as %s', (name, kept) => {
    expect(readProfile(name, { families, family: 'service', plan: 'pro' })).toBe(kept);
  });

  it.each([
    '',
    'service',
    'service-',
    'service-1.5',
    'other-1.6',
    'manus-1.6-',
    'Service-1.6',
    'service-1.6-lite ',
    '1.6',
    'service-agent',
    'service-1.6-agent-agent',
  ])('%j is rejected', (name) => {
    expect(() => readProfile(name, { families, family: 'service', plan: 'pro' })).toThrow(
      /^agent_profile: must be one of "(service|manus)-1\.6", "\1-1\.6-lite", "\1-1\.6-max"$/,
    );
  });

  it('is always the lightweight one for a free account, and still validated', () => {
    expect(readProfile('manus-1.6-max', { families, family: 'manus', plan: 'free' })).toBe('service-1.6-lite');
    expect(() => readProfile('other', { families, family: 'manus', plan: 'free' })).toThrow(/^agent_profile/);
  });

  it.each([
    ['manus-1.6', 'manus'],
    ['my-own-1.6', 'my-own'],
    ['other-1.6', 'service'],
    [undefined, 'service'],
  ])('%s belongs to the family %s', (name, family) => {
    expect(familyOf(name, { families: ['my', ...families], family: 'service' })).toBe(family);
  });

  it("is reported in a task's family", () => {
    expect(nameProfile('service-1.6-max', 'manus')).toBe('manus-1.6-max');
    expect(nameProfile('service-1.6', 'service')).toBe('service-1.6');
    expect(nameProfile('from-another-time', 'manus')).toBe('from-another-time');
  });
});
