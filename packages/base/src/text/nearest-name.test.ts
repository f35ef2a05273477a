import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNearestName } from './nearest-name.ts';

const names = ['serve', 'run', 'task', 'key', 'account', 'migrate', 'doctor'];

describe('the nearest name', () => {
  it('is found despite one typo', () => {
    expect(findNearestName('serv', names)).toBe('serve');
    expect(findNearestName('tsak', names)).toBe('task');
    expect(findNearestName('dokctor', names)).toBe('doctor');
    expect(findNearestName('ERRAND_MODLE', ['ERRAND_PORT', 'ERRAND_MODEL'])).toBe('ERRAND_MODEL');
  });

  it('is null for a word that resembles no name', () => {
    expect(findNearestName('xyz', names)).toBeNull();
    expect(findNearestName('', names)).toBeNull();
    expect(findNearestName('webhook', names)).toBeNull();
  });

  it('is the name itself if it is spelled correctly', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), fc.nat(), (list, index) => {
        const word = list[index % list.length] ?? '';
        expect(findNearestName(word, list)).toBe(word);
      }),
    );
  });
});
