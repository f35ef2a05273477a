import { describe, expect, it } from 'vitest';
import type { CallPart, LoggedEvent, TaskEvent } from './task-event.ts';
import { callAt, describeInput } from './call-input.ts';

const call = (id: string, input: unknown = {}): CallPart => ({ type: 'call', id, tool: 'run_shell', input });
const calls = [call('one'), call('two')];
const at = (event: TaskEvent): LoggedEvent => ({ seq: 5, atMs: 5, event });
const outcome = { tool: 'run_shell', status: 'success', output: '', brief: '', action: '', param: '' } as const;
const finished = (callId: string) => at({ type: 'tool_finished', callId, ...outcome });
const replied = at({ type: 'model_finished', step: 1, parts: calls, usage: { input: 1, output: 1, cached: 0 } });

describe('the call at a place in the log', () => {
  it('that runs is the one that began, or the next one', () => {
    const runs = (place: LoggedEvent) => callAt(place, calls, false)?.id;
    expect(runs(replied)).toBe('one');
    expect(runs(at({ type: 'tool_started', callId: 'two', tool: 'run_shell', attempt: 1 }))).toBe('two');
    expect(runs(finished('one'))).toBe('two');
    expect(runs(finished('two'))).toBeUndefined();
    // One that the reply does not have is none, not the first.
    expect(runs(finished('other'))).toBeUndefined();
    expect(runs(at({ type: 'model_started', step: 2, attempt: 1, model: 'test/one', estimatedInput: 1 }))).toBeUndefined();
    expect(runs(at({ type: 'waiting', callId: 'one', question: 'Which?' }))).toBeUndefined();
    expect(runs(at({ type: 'stopped', by: 'user' }))).toBeUndefined();
  });

  it('that an event is about is the one whose outcome it is', () => {
    expect(callAt(finished('two'), calls, true)?.id).toBe('two');
    expect(callAt(replied, calls, true)).toBeUndefined();
  });
});

describe('what a call was given', () => {
  it('is its whole command, or the text that says most', () => {
    expect(describeInput({ input: { command: 'echo one\necho two', timeout_seconds: 5 } })).toBe('echo one\necho two');
    expect(describeInput({ input: { language: 'python', code: 'print(1)' } })).toBe('print(1)');
    expect(describeInput({ input: { path: 'a.md', content: 'words' } })).toBe('a.md');
  });

  it('is empty where no text says it, whatever a model wrote', () => {
    for (const input of [null, 'text', 7, [], { steps: [{ type: 'secret' }] }, { command: 7 }, { command: ' ' }])
      expect(describeInput({ input })).toBe('');
  });

  it('is bounded, and tears no character', () => {
    const long = describeInput({ input: { command: `${'x'.repeat(19_999)}😀${'y'.repeat(50)}` } });
    expect(long.length).toBe(20_001);
    expect(long.isWellFormed()).toBe(true);
  });
});
