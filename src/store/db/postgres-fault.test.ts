import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { translateError } from './postgres-fault.ts';

function serverError(code: string): DatabaseError {
  const error = new DatabaseError('secret text of the server', 0, 'error');
  error.code = code;
  return error;
}

function systemError(code: string): Error {
  return Object.assign(new Error(`write ${code}`), { code });
}

describe('translateError', () => {
  it.each([
    ...['08006', '53300', '53100', '57P01', '57014', '57P03', '58030', '40P01', '40001', '25P02', '25006'].map(serverError),
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EPERM'].map(systemError),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
    new AggregateError([systemError('ECONNREFUSED')]),
  ])('takes %o for something that passes', (error) => {
    expect(translateError(error)).toMatchObject({ code: 'unavailable', status: 503, retryAfterS: 1, cause: error });
  });

  it.each([
    ...['23505', '42601', '42P01', '22021', '22P02', 'XX000'].map(serverError),
    new TypeError('Client was passed a null or undefined query'),
    new RangeError('out of range'),
    new SyntaxError('Unexpected end of JSON input'),
  ])('takes %o for a defect', (error) => {
    expect(translateError(error)).toMatchObject({ code: 'internal', status: 500, cause: error });
  });

  it("hides the server's message from callers and shows it to operators", () => {
    expect(translateError(serverError('23505'))).toMatchObject({
      message: 'Something went wrong inside the service.',
      detail: '23505 secret text of the server',
    });
  });

  it('returns a fault unchanged', () => {
    const fault = new Fault('not_found', 'task not found');
    expect(translateError(fault)).toBe(fault);
  });
});
