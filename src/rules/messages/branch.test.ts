import { expect, it } from 'vitest';
import type { TaskEvent, UserMessage } from '../events/task-event.ts';
import { Branch } from './branch.ts';

const message = (text: string, authorId?: string): UserMessage => ({
  type: 'user_message',
  text,
  kind: 'text',
  ...(authorId !== undefined && { authorId }),
});

/** The messages of a branch that ends with the last of these events, with their authors. */
function listMessages(events: readonly TaskEvent[], text?: string): (string | undefined)[][] {
  const branch = new Branch();
  const point = { seq: events.length, ...(text !== undefined && { text }) };
  for (const [index, event] of events.entries()) branch.add({ seq: index + 1, atMs: index, event }, point);
  return branch.events.flatMap((event) => (event.type === 'user_message' ? [[event.text, event.authorId]] : []));
}

it.each([undefined, 'Other words'])('is sent by whoever makes it, after messages of their own authors: %s', (text) => {
  const events: TaskEvent[] = [
    message('Mine'),
    message('Of Ann', 'ann'),
    { type: 'assistant_message', text: 'Yes.' },
    { type: 'stopped', by: 'agent' },
    message('Last of Ann', 'ann'),
  ];
  expect(listMessages(events, text)).toEqual([
    ['Mine', undefined],
    ['Of Ann', 'ann'],
    [text ?? 'Last of Ann', undefined],
  ]);
});

it('has the files that its messages awaited: those that were fetched, and those that still are to be', () => {
  const late = (id: string) => ({ id, kind: 'file' as const, filename: `${id}.txt`, contentType: null, sealedUrl: 'sealed' });
  const file = { kind: 'file' as const, filename: 'a.txt', contentType: 'text/plain', blobId: 'blob a', bytes: 1 };
  const branch = new Branch();
  const events: TaskEvent[] = [
    { ...message('Read them.'), awaited: [late('a'), late('b'), late('c')] },
    { type: 'running', brief: 'Started' },
    { type: 'file_fetched', id: 'a', filename: 'a.txt', attachment: file, problem: null },
    { type: 'file_fetched', id: 'b', filename: 'b.txt', attachment: null, problem: 'no' },
    { type: 'assistant_message', text: 'Yes.' },
  ];
  for (const [index, event] of events.entries()) branch.add({ seq: index + 1, atMs: index, event }, { seq: events.length });
  // One that could not be fetched is tried again.
  expect(branch.events[0]).toEqual({ ...message('Read them.'), attachments: [file], awaited: [late('b'), late('c')] });
  expect([branch.isAwaiting, branch.blobIds]).toEqual([true, ['blob a']]);
  for (const id of ['b', 'c']) {
    const attachment = { ...file, blobId: `blob ${id}` };
    branch.addLater({ seq: 9, atMs: 9, event: { type: 'file_fetched', id, filename: `${id}.txt`, attachment, problem: null } });
  }
  expect([branch.isAwaiting, branch.blobIds]).toEqual([false, ['blob a', 'blob b', 'blob c']]);
});
