import { expect, it } from 'vitest';
import { digestConversation } from './conversation-digest.ts';
import type { TranscriptEntry } from './transcript.ts';

const talk: TranscriptEntry[] = [
  { role: 'user', text: 'Find the sum.' },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'secret' },
      { type: 'text', text: 'I look.' },
      { type: 'call', id: 'c', tool: 'read_file', input: { path: 'a' } },
    ],
  },
  { role: 'tool', results: [{ callId: 'c', tool: 'read_file', output: '4 '.repeat(5000), isError: false }] },
];

it('renders a conversation as text, truncating long results before user messages', () => {
  const text = digestConversation(talk, 1500);
  expect(text.length).toBeLessThanOrEqual(1500);
  expect(text).toMatch(
    /^The user wrote: Find the sum\.\nYou wrote: I look\.\nYou called read_file: {"path":"a"}\nResult of read_file: (4 )+ \[…\]$/,
  );
});

it('omits the oldest entries if even that is too long', () => {
  const long = Array.from({ length: 1000 }, (_, at): TranscriptEntry => ({ role: 'user', text: `message ${at}` }));
  const text = digestConversation(long, 500);
  expect(text).toHaveLength(500);
  expect(text).toContain('message 999');
});
