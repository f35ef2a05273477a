import { expect, it } from 'vitest';
import { reminderMark } from '../context/plan-reminder.ts';
import { applyCompaction } from '../context/rewriting.ts';
import type { ModelPart, TaskEvent } from '../events/task-event.ts';
import { describeEntry } from '../messages/attachment-place.ts';
import { askTool, foldAll } from './task-state.ts';

const start = Date.UTC(2026, 2, 1);
const dayMs = 86_400_000;
const say = (text: string): TaskEvent => ({ type: 'user_message', text, kind: 'text' });
const usage = { input: 1, output: 1, cached: 0 };
const reply = (text: string): TaskEvent[] => [
  { type: 'model_finished', step: 1, parts: [{ type: 'text', text }], usage },
  { type: 'assistant_message', text },
  { type: 'stopped', by: 'agent' },
];
const ask: ModelPart = { type: 'call', id: 'q', tool: askTool, input: { question: 'Which?' } };

function read(events: readonly TaskEvent[], answeredAtMs: number) {
  return foldAll(events.map((event, at) => ({ seq: at + 1, atMs: at === events.length - 1 ? answeredAtMs : start, event })));
}

it('every message of the user states its date, a follow-up of the same day too', () => {
  const { transcript } = read([say('Hello'), ...reply('Hi'), say('And now?')], start + 1);
  const texts = transcript.flatMap((entry) => (entry.role === 'user' ? [describeEntry(entry)] : []));
  const mark = '[This message is of Sunday, 1 March 2026 (UTC).]';
  expect(texts).toEqual([`Hello\n\n${mark}`, `And now?\n\n${mark}`]);
});

it('an answer to a question states its date only if it is of another day', () => {
  const asked: TaskEvent[] = [
    say('Hello'),
    { type: 'model_finished', step: 1, parts: [ask], usage },
    { type: 'waiting', callId: 'q', question: 'Which?' },
    say('Blue'),
  ];
  const answerAt = (atMs: number) => {
    const last = read(asked, atMs).transcript.at(-1);
    return last?.role === 'tool' ? last.results[0]?.output : null;
  };
  expect(answerAt(start + 1)).toBe('Blue');
  expect(answerAt(start + dayMs)).toBe('Blue\n\n[This message is of Monday, 2 March 2026 (UTC).]');
});

it('a summary of the conversation has the mark of the service, as every other notice', () => {
  const [summary] = applyCompaction([], { type: 'compacted', summary: 'So far.', kept: [], from: 0, usage });
  expect(summary?.role === 'user' && summary.text.startsWith(`${reminderMark} `)).toBe(true);
});
