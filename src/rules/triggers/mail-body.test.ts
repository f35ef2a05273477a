import { expect, it } from 'vitest';
import { findMailLoop, type MailOrigin } from './mail-body.ts';

const origin = (changes: Partial<MailOrigin> = {}): MailOrigin => {
  return { envelopeFrom: 'ann@example.com', from: 'ann@example.com', headers: {}, hops: 3, ...changes };
};

it('a mail that a person has written starts a task', () => {
  expect(findMailLoop(origin(), 'in.test')).toBeNull();
  expect(findMailLoop(origin({ headers: { 'auto-submitted': 'No', precedence: 'first-class' } }), 'in.test')).toBeNull();
  expect(findMailLoop(origin({ from: 'ann@begin.test' }), 'in.test')).toBeNull();
});

it.each<[string, Partial<MailOrigin>, string]>([
  ['a delivery report', { envelopeFrom: '' }, 'sender is empty'],
  ['an automatic answer', { headers: { 'auto-submitted': 'auto-replied (vacation)' } }, 'Auto-Submitted'],
  ['a mail to many', { headers: { precedence: 'Bulk' } }, 'Precedence: bulk'],
  ['a mail of a list', { headers: { precedence: 'list' } }, 'Precedence: list'],
  ['a mail of a trigger', { from: 'x@in.test' }, 'at in.test'],
  ['a mail that goes round', { hops: 51 }, '50 servers'],
])('%s starts none, and it is said why', (_, changes, reason) => {
  expect(findMailLoop(origin(changes), 'in.test')).toContain(reason);
});
