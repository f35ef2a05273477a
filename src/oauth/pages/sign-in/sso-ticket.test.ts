import { expect, it } from 'vitest';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { openTicket, sealTicket, type SsoTicket, ticketTtlMs } from './sso-ticket.ts';

const box = new SealedBox('a secret of this service');
const ticket: SsoTicket = { state: 's', nonce: 'n', verifier: 'v', next: '/device', linkSessionId: null, begunAtMs: 1_000_000 };

it('a ticket is valid for ten minutes, only for this service and unmodified', () => {
  const cookie = sealTicket(box, ticket);
  expect(openTicket(box, cookie, ticket.begunAtMs)).toEqual(ticket);
  expect(openTicket(box, cookie, ticket.begunAtMs + ticketTtlMs - 1)).toEqual(ticket);
  expect(openTicket(box, cookie, ticket.begunAtMs + ticketTtlMs)).toBeNull();
  // Another machine's clock may be slightly behind, but not by minutes.
  expect(openTicket(box, cookie, ticket.begunAtMs - 30_000)).toEqual(ticket);
  expect(openTicket(box, cookie, ticket.begunAtMs - 120_000)).toBeNull();
  expect(openTicket(new SealedBox('a secret of another'), cookie, ticket.begunAtMs)).toBeNull();
  expect(openTicket(box, box.seal(JSON.stringify(ticket), 'another place'), ticket.begunAtMs)).toBeNull();
  for (const wrong of [null, '', 'x', cookie.replace('v1.', 'v1.x'), cookie.slice(0, -4)])
    expect(openTicket(box, wrong, ticket.begunAtMs)).toBeNull();
});

it('fits into a cookie however long the URL to return to is', () => {
  const longest = openTicket(box, sealTicket(box, { ...ticket, next: `/${'x'.repeat(1999)}` }), ticket.begunAtMs);
  expect(longest?.next).toHaveLength(2000);
  const cookie = sealTicket(box, { ...ticket, next: `/${'x'.repeat(7999)}` });
  expect([cookie.length < 3900, openTicket(box, cookie, ticket.begunAtMs)?.next]).toEqual([true, '/']);
});
