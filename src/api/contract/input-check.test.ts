import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations, adminOperations } from '../index.ts';
import { checkInput } from './input-check.ts';

const schema = z.object({
  name: z.string().min(1),
  size: z.union([z.literal('small'), z.number()]).optional(),
  parts: z.array(z.object({ text: z.string().max(3), kind: z.enum(['a', 'b']).optional() })).optional(),
  either: z.union([z.string(), z.array(z.object({ id: z.string() }))]).optional(),
  only: z.literal('this').optional(),
  few: z.array(z.string()).max(1).optional(),
  seconds: z.number().min(10).max(60).optional(),
});

describe('an input that does not fit', () => {
  it.each([
    [{}, 'name is required'],
    [undefined, 'body is required'],
    [null, 'body: must be an object'],
    [[], 'body: must be an object'],
    [{ name: 5 }, 'name: must be a string'],
    [{ name: null }, 'name: must be a string'],
    [{ name: '' }, 'name: must have at least 1 character'],
    [{ name: 'x', size: 'large' }, 'size: must be "small" or a number'],
    [{ name: 'x', parts: {} }, 'parts: must be an array'],
    [{ name: 'x', parts: [{ text: 'x' }, {}] }, 'parts[1].text is required'],
    [{ name: 'x', parts: [{ text: 'long' }] }, 'parts[0].text: must have at most 3 characters'],
    [{ name: 'x', parts: [{ text: 'x', kind: 'c' }] }, 'parts[0].kind: must be one of "a", "b"'],
    [{ name: 'x', either: 5 }, 'either: must be a string or an array'],
    [{ name: 'x', either: [{}] }, 'either[0].id is required'],
    [{ name: 'x', either: [{ id: 1 }] }, 'either[0].id: must be a string'],
    [{ name: 'x', only: 'that' }, 'only: must be "this"'],
    [{ name: 'x', few: ['a', 'b'] }, 'few: must have at most 1 item'],
    [{ name: 'x', seconds: 9 }, 'seconds: must be at least 10'],
    [{ name: 'x', seconds: 61 }, 'seconds: must be at most 60'],
  ])('%j is reported in one sentence: %s', (input, message) => {
    expect(() => checkInput(schema, input)).toThrow(expect.objectContaining({ code: 'invalid_argument', message }));
  });

  it('is reported in one short sentence by every operation, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations, ...adminOperations),
        fc.anything({ withNullPrototype: true }),
        ({ request }, input) => {
          try {
            checkInput(request, input);
          } catch (error) {
            expect(error).toMatchObject({
              code: 'invalid_argument',
              message: expect.stringMatching(/^\w[\w.[\]]*(: | is required$)/) as unknown,
              param: expect.stringMatching(/^\w[\w.[\]]*$/) as unknown,
            });
          }
        },
      ),
    );
  });
});

it('is stripped of what the schema does not name', () => {
  const input = JSON.parse('{"name":"x","extra":1,"__proto__":{"few":["a"]},"parts":[{"text":"a","more":2}]}') as unknown;
  expect(checkInput(schema, input)).toEqual({ name: 'x', parts: [{ text: 'a' }] });
});
