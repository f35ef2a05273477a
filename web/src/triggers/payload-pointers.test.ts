import { expect, it } from 'vitest';
import { listValues } from './payload-pointers.ts';

const json = { 'content-type': 'application/json' };

it('every value of a payload has its pointer, with the characters that pointers escape', () => {
  const body = JSON.stringify({ issue: { title: 'Blank', labels: ['bug', 3] }, 'a/b~c': true, none: null, '{x}': 1 });
  expect(listValues({ body, headers: json })).toEqual([
    { pointer: '/issue/title', sample: 'Blank' },
    { pointer: '/issue/labels/0', sample: 'bug' },
    { pointer: '/issue/labels/1', sample: '3' },
    { pointer: '/a~1b~0c', sample: 'true' },
    { pointer: '/none', sample: 'null' },
  ]);
});

it('fields of a form are values too', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(listValues({ body: 'name=Ann&text=Hello+you', headers })).toEqual([
    { pointer: '/name', sample: 'Ann' },
    { pointer: '/text', sample: 'Hello you' },
  ]);
});

it('text, a body that is cut, and none at all have no values', () => {
  for (const body of ['hello', '{"a": "b', '5', undefined]) {
    expect(listValues({ ...(body !== undefined && { body }), headers: json })).toEqual([]);
  }
});

it('large payloads give a list of bounded length', () => {
  const body = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ text: 'x'.repeat(500), index })));
  const values = listValues({ body, headers: json });
  expect(values).toHaveLength(60);
  expect(values[0]?.sample).toHaveLength(60);
});
