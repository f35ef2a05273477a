import { describe, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { packError, unpackOutcome } from './sqlite-messages.ts';

const sqliteError = (errcode: number) => Object.assign(new Error('disk I/O error in /var/lib'), { errcode });

describe('messages to and from the database thread', () => {
  it('keep the kind of a fault, its public message and its detail', () => {
    const fault = new Fault('resource_exhausted', 'Too many.', { detail: 'row 7' });
    const outcome = unpackOutcome(structuredClone(packError(fault)));
    expect(outcome.ok).toBe(false);
    if (outcome.ok) return;
    expect(outcome.error).toBeInstanceOf(Fault);
    expect(outcome.error).toMatchObject({ code: 'resource_exhausted', message: 'Too many.', detail: 'row 7', status: 429 });
  });

  it('keep what a fault says about the request', () => {
    const said = { param: 'email', neededScopes: ['create_task'], retryAfterS: 7, isAlreadyThere: true };
    const outcome = unpackOutcome(structuredClone(packError(new Fault('conflict', 'No.', said))));
    expect(outcome).toMatchObject({ ok: false, error: said });
  });

  it.each([5, 6, 8, 10, 13, 14, 261, 266, 778, 3338])('treat SQLite error %i as temporary', (errcode) => {
    const outcome = unpackOutcome(structuredClone(packError(sqliteError(errcode))));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unavailable', retryAfterS: 1 } });
  });

  it.each([sqliteError(1), sqliteError(19), new TypeError('x'), 'text'])(
    'takes %o for a defect and says nothing about it',
    (error) => {
      const outcome = unpackOutcome(structuredClone(packError(error)));
      expect(outcome).toMatchObject({
        ok: false,
        error: { code: 'internal', message: 'Something went wrong inside the service.' },
      });
    },
  );

  it('transmit results unchanged', () => {
    expect(unpackOutcome({ ok: true, value: [1] })).toEqual({ ok: true, value: [1] });
  });
});
