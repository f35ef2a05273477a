import { describe, expect, it } from 'vitest';
import { Fault, faultStatus, invalidField } from './fault.ts';

describe('Fault', () => {
  it('has the status of its code unless another is given', () => {
    for (const [code, status] of Object.entries(faultStatus)) {
      expect(new Fault(code as keyof typeof faultStatus, 'A sentence.').status).toBe(status);
    }
    expect(new Fault('invalid_argument', 'POST only.', { status: 405 }).status).toBe(405);
  });

  it('separates internal details from the public message', () => {
    const cause = new Error('disk /var/lib');
    const fault = new Fault('unavailable', 'Try again.', { detail: 'sector 7', cause, retryAfterS: 3 });
    expect(fault).toMatchObject({ message: 'Try again.', detail: 'sector 7', cause, retryAfterS: 3, name: 'Fault' });
    expect(new Fault('internal', 'Sorry.')).not.toHaveProperty('cause');
  });

  it('names the invalid field', () => {
    expect(invalidField('limit', 'must be 1 to 100')).toMatchObject({
      code: 'invalid_argument',
      message: 'limit: must be 1 to 100',
      param: 'limit',
    });
  });
});
