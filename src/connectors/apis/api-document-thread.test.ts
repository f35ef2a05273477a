import { systemClock } from '@errand/base/clock.ts';
import { expect, it } from 'vitest';
import { readDocument } from './api-document-thread.ts';

it('a document is no longer read once its reader is gone', async () => {
  const source = { text: '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}', names: null, taken: null };
  const stop = new AbortController();
  const reading = readDocument(source, 'document', systemClock, { owner: 'me', signal: stop.signal });
  setImmediate(() => stop.abort(new Error('gone')));
  await expect(reading).rejects.toThrow('gone');
  const { operations } = await readDocument(source, 'document', systemClock, {
    owner: 'me',
    signal: new AbortController().signal,
  });
  expect(operations).toHaveLength(1);
});
