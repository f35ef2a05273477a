import { describe, expect, it } from 'vitest';
import { isEmailAddress } from './email-address.ts';

describe('an e-mail address', () => {
  it.each(['ann@example.com', 'owner@localhost', 'ann+work@sub.example.co', '李@例子.测试'])('can be %s', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    '',
    'nope',
    '@example.com',
    'ann@',
    'ann@b@c',
    'an n@example.com',
    'ann@exa\u0000mple.com',
    `${'a'.repeat(243)}@example.com`,
  ])('cannot be %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});
