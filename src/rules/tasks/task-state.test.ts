import fc from 'fast-check';
import type { ToolResult } from '../context/transcript.ts';
import { describe, expect, it } from 'vitest';
import { measureThreadMs } from '../../../test/support/base/thread-time.ts';
import { makeSchema, taskLogs } from '../../../test/support/tasks/task-logs.ts';
import { nextStep } from './next-step.ts';
import { findMade } from '../artifacts/made-files.ts';
import type { LoggedEvent, Made, ModelPart, OutputSchema, TaskEvent, TokenUsage } from '../events/task-event.ts';
import { listSpoken } from '../messages/attachment-place.ts';
import { askTool, emptyState, fold, foldAll, type TaskState } from './task-state.ts';

const logs = taskLogs(60);

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freezeDeep);
  }
  return value;
}

/** Checks what holds of the state after every event of a log. */
function everyState(check: (state: TaskState, log: readonly LoggedEvent[]) => void): void {
  fc.assert(
    fc.property(logs, (batches) => {
      const log = batches.flat();
      let state = emptyState;
      for (const [index, event] of log.entries()) {
        state = fold(state, event);
        check(state, log.slice(0, index + 1));
      }
    }),
    { numRuns: 300 },
  );
}

describe('fold', () => {
  it('yields the same state, and so the same next step, in parts as at once', () => {
    fc.assert(
      fc.property(logs, fc.nat({ max: 200 }), (batches, cut) => {
        const log = batches.flat();
        const whole = foldAll(log);
        const resumed = foldAll(log.slice(cut), foldAll(JSON.parse(JSON.stringify(log.slice(0, cut))) as LoggedEvent[]));
        expect(resumed).toEqual(whole);
        expect(nextStep(resumed)).toEqual(nextStep(whole));
      }),
    );
  });

  it('never changes a state or an event', () => {
    everyState((state) => void freezeDeep(state));
    fc.assert(
      fc.property(
        logs,
        (batches) =>
          void freezeDeep(batches)
            .flat()
            .reduce((state, event) => freezeDeep(fold(state, event)), emptyState),
      ),
    );
  });

  it('rejects a log with a gap, a repetition or an event that is not allowed there', () => {
    const first: LoggedEvent = { seq: 1, atMs: 1, event: { type: 'user_message', text: 'hi', kind: 'text' } };
    const state = fold(emptyState, first);
    expect(() => fold(state, first)).toThrow('The task log is damaged.');
    expect(() => fold(state, { ...first, seq: 3 })).toThrow('The task log is damaged.');
    const wrong: TaskEvent = { type: 'extract_delivered', success: true, value: 1, error: null };
    expect(() => fold(state, { seq: 2, atMs: 2, event: wrong })).toThrow('The task log is damaged.');
  });

  it('tells the model what its workspace lacks, between calls after their results and without being the user', () => {
    const call: ModelPart = { type: 'call', id: 'c1', tool: 'read_file', input: {} };
    const finished = { status: 'success' as const, output: 'x', brief: '', action: '', param: '' };
    const events: TaskEvent[] = [
      { type: 'user_message', text: 'hi', kind: 'text' },
      { type: 'files_left_out', count: 1, files: [{ path: 'a', reason: 'special' }] },
      { type: 'model_finished', step: 1, parts: [call], usage: { input: 1, output: 1, cached: 0 } },
      { type: 'files_left_out', count: 1, files: [{ path: 'b', reason: 'special' }] },
      { type: 'tool_finished', callId: 'c1', tool: 'read_file', ...finished },
    ];
    const { transcript } = foldAll(events.map((event, index) => ({ seq: index + 1, atMs: index + 1, event })));
    expect(transcript.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'user']);
    for (const [place, path] of [
      [1, 'a'],
      [4, 'b'],
    ] as const)
      expect(transcript[place]).toMatchObject({ isNote: true, text: expect.stringContaining(`"${path}"`) as string });
  });

  it('adds up usage', () => {
    everyState((state, log) => {
      const used = log.flatMap(({ event }): TokenUsage[] => ('usage' in event ? [event.usage] : []));
      expect(state.usage.input).toBe(used.reduce((sum, { input }) => sum + input, 0));
      expect(state.usage.output).toBe(used.reduce((sum, { output }) => sum + output, 0));
      expect(state.usage.cached).toBe(used.reduce((sum, { cached }) => sum + cached, 0));
    });
  });

  it('folds a hundred thousand events without slowing down', () => {
    const makeTurns = (turns: number): LoggedEvent[] => {
      const call: ModelPart = { type: 'call', id: 'c', tool: 'read_file', input: {} };
      const usage = { input: 1, output: 1, cached: 0 };
      const events = Array.from({ length: turns }, (_, step): TaskEvent[] => [
        { type: 'model_started', step, attempt: 1, model: 'm', estimatedInput: 1 },
        { type: 'model_finished', step, parts: [call], usage },
        {
          type: 'tool_finished',
          callId: 'c',
          tool: 'read_file',
          status: 'success',
          output: '',
          brief: '',
          action: '',
          param: '',
        },
        { type: 'plan_updated', steps: [] },
      ]).flat();
      return events.map((event, index) => ({ seq: index + 1, atMs: index, event }));
    };
    const [short, long] = [makeTurns(1000), makeTurns(25_000)];
    foldAll(short);
    const measure = (log: LoggedEvent[]) => measureThreadMs(() => foldAll(log)) / log.length;
    // In turns, so that what else the machine does falls on both alike.
    const rounds = Array.from({ length: 4 }, () => ({ short: measure(short), long: measure(long) }));
    const best = { short: Math.min(...rounds.map((round) => round.short)), long: Math.min(...rounds.map((round) => round.long)) };
    // Twenty-five times as many events may cost each some more (memory), not twenty-five times as much.
    expect(best.long).toBeLessThan(best.short * 12 + 0.002);
  });
});

/** The words of an answer, as the model reads them in the result of its question. */
function wordsOf({ output }: ToolResult): string[] {
  return /The user says in .*:\n(.*)$/.exec(output)?.slice(1) ?? [];
}

describe('the conversation', () => {
  const isText = (text: string) => text.startsWith('message ');
  const firstLine = ({ output }: { output: string }) => output.split('\n', 1).join();

  it('receives every message exactly once, in order of arrival', () => {
    everyState((state, log) => {
      const said = log.flatMap(({ event }) => (event.type === 'user_message' ? [event.text] : []));
      const received = state.transcript.flatMap((entry) => {
        if (entry.role === 'user') return entry.isNote ? [] : [entry.text];
        return entry.role === 'tool' ? entry.results.map(firstLine).filter(isText) : [];
      });
      const answered = state.results.map(firstLine).filter(isText);
      expect([
        ...received,
        ...answered,
        ...state.pendingMessages.filter(({ isNote }) => !isNote).map(({ text }) => text),
      ]).toEqual(said);
    });
  });

  it('contains the transcript of every transcribed voice message in its place', () => {
    everyState((state, log) => {
      const spoken = log.flatMap(({ event }) => (event.type === 'voice_transcribed' ? [String(event.text)] : []));
      const read = [...state.transcript, ...state.pendingMessages].flatMap((entry) => {
        if (entry.role === 'user') return listSpoken(entry.attachments).map(({ text }) => text);
        return entry.role === 'tool' ? entry.results.flatMap(wordsOf) : [];
      });
      expect([...read, ...state.results.flatMap(wordsOf)].toSorted()).toEqual(spoken.toSorted());
    });
  });

  it('lists all results of a step together, in the order of its calls', () => {
    everyState(({ transcript, pending, results }) => {
      for (const [index, entry] of transcript.entries()) {
        const calls = entry.role === 'assistant' ? entry.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [];
        const next = transcript[index + 1];
        if (entry.role === 'tool') expect(transcript[index - 1]?.role).toBe('assistant');
        if (calls.length === 0) expect(next?.role).not.toBe('tool');
        else if (next) expect(next.role === 'tool' && next.results.map(({ callId }) => callId)).toEqual(calls);
        else
          expect([...pending.map(({ id }) => id), ...results.map(({ callId }) => callId)].toSorted()).toEqual(calls.toSorted());
      }
    });
  });

  it('has no open calls once a turn has ended', () => {
    everyState((state) => {
      if (state.status !== 'stopped' && state.status !== 'error') return;
      expect(state).toMatchObject({ pending: [], results: [], pendingMessages: [], modelOpen: false, failures: 0, retryAt: 0 });
    });
  });

  it('waits only with an open call, and treats the next message as its answer', () => {
    everyState((state, log) => {
      const last = log.at(-1)?.event;
      if (last?.type !== 'waiting') return;
      const open = state.pending.find(({ id }) => id === last.callId);
      expect(open?.tool === askTool).toBe(last.action === undefined);
      const message: TaskEvent = { type: 'user_message', text: 'message x', kind: 'text' };
      const answered = fold(state, { seq: state.seq + 1, atMs: state.lastAtMs + 1, event: message });
      const left = state.pending.filter((call) => call !== open);
      expect(answered.pending.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
      if (last.action)
        expect(answered.pendingMessages.at(-1)?.text === 'message x' || answered.transcript.at(-1)?.role === 'user').toBe(true);
    });
  });

  it('receives a message that arrived during a failed call before one that arrived after it', () => {
    const say = (text: string): TaskEvent => ({ type: 'user_message', text, kind: 'text' });
    const usage = { input: 0, output: 0, cached: 0 };
    const events: TaskEvent[] = [
      say('first'),
      { type: 'model_started', step: 1, attempt: 1, model: 'm', estimatedInput: 1 },
      say('second'),
      { type: 'model_failed', step: 1, attempt: 1, reason: 'away', retryAt: 9, usage },
      say('third'),
      { type: 'model_started', step: 1, attempt: 2, model: 'm', estimatedInput: 1 },
    ];
    const state = foldAll(events.map((event, index) => ({ seq: index + 1, atMs: index, event })));
    expect(state.transcript.map((entry) => entry.role === 'user' && entry.text)).toEqual(['first', 'second', 'third']);
  });
});

describe('the output files of tools', () => {
  it('include a deck under each of its paths until another file replaces it', () => {
    everyState((state, log) => {
      const expected = new Map<string, Made>();
      for (const { event } of log) {
        if (event.type !== 'tool_finished') continue;
        for (const each of event.made ?? []) {
          const paths = each.kind === 'slides' ? [each.forms.html, each.forms.pptx] : [each.path];
          // A deck that lost one of its forms is none any more.
          for (const [path, earlier] of expected) {
            if (earlier.kind === 'slides' && paths.some((other) => Object.values(earlier.forms).includes(other)))
              expected.delete(path);
          }
          for (const path of paths) if (each.kind === 'slides') expected.set(path, each);
        }
      }
      for (const path of ['a.html', 'a.pptx', 'b.html', 'b.pptx', 'c.txt'])
        expect(findMade(state.made, path)).toEqual(expected.get(path) ?? { kind: 'file', path });
    });
  });

  it('are attached to the next message of the agent, each path once and in its newest version', () => {
    everyState((state, log) => {
      const said = log.findLastIndex(({ event }) => event.type === 'assistant_message');
      const since = log.slice(said + 1).flatMap(({ event }) => (event.type === 'file_delivered' ? [event] : []));
      const newest = since.filter(({ path }, index) => since.findLastIndex((other) => other.path === path) === index);
      expect(state.delivered.map((file) => ({ type: 'file_delivered', ...file }))).toEqual(newest);
    });
  });

  it('count as stored as long as the log keeps them: earlier versions, both forms of a deck, and pictures for the model too', () => {
    const html = { blobId: 'h', filename: 'a.html', contentType: 'text/html', bytes: 2 };
    const pptx = { ...html, blobId: 'p', filename: 'a.pptx', bytes: 30 };
    const deliver = (attachment: Extract<TaskEvent, { type: 'file_delivered' }>['attachment']): TaskEvent => ({
      type: 'file_delivered',
      artifactId: 'a',
      path: 'a.html',
      displayName: 'A',
      attachment,
    });
    const picture = { blobId: 'v', bytes: 4000, name: 'a.png' };
    const events: TaskEvent[] = [
      deliver({ kind: 'file', ...html }),
      deliver({ kind: 'slides', ...html, forms: { html, pptx } }),
      {
        type: 'site_made',
        websiteId: 'w',
        folder: 'site/',
        space: 's',
        title: 'S',
        platform: 'website',
        versionId: 'v',
        message: '',
        blobId: 's',
        indexAt: 1,
        bytes: 500,
      },
      {
        type: 'tool_finished',
        callId: 'c',
        tool: 'view_image',
        status: 'success',
        output: '',
        pictures: [picture],
        brief: '',
        action: '',
        param: '',
      },
    ];
    const state = foldAll(events.map((event, at) => ({ seq: at + 1, atMs: 0, event })));
    expect(state.stored).toEqual({ bytes: 2 + 2 + 30 + 500 + 4000, files: 5 });
  });
});

describe('the armed schema', () => {
  /** The lifecycle that clients are promised (docs/reference/api.md#schema-lifecycle). */
  function follow(armed: OutputSchema | null, { event }: LoggedEvent): OutputSchema | null {
    if (event.type === 'user_message') return event.outputSchema ?? armed;
    return event.type === 'extract_delivered' ? null : armed;
  }

  it('is armed or replaced by a message, kept across questions and stops, and consumed by its delivery', () => {
    everyState((state, log) => {
      expect(state.outputSchema).toEqual(log.reduce(follow, null));
    });
  });

  it('is extracted from the end of the conversation: a message voids any earlier extraction', () => {
    everyState((state, log) => {
      const { outcome } = state.extraction;
      if (outcome === null) return;
      const said = log.findLastIndex(({ event }) => event.type === 'user_message' || event.type === 'model_finished');
      const extracted = log.findLastIndex(({ event }) => event.type === 'extract_finished');
      expect(extracted).toBeGreaterThan(said);
    });
  });

  it('is delivered at each regular end of a turn while it is armed, and never otherwise', () => {
    fc.assert(
      fc.property(logs, (batches) => {
        let armed: OutputSchema | null = null;
        for (const batch of batches) {
          const types = batch.map(({ event }) => event.type);
          const isEnd = batch.some(({ event }) => (event.type === 'stopped' && event.by === 'agent') || event.type === 'failed');
          expect(types.includes('extract_delivered')).toBe(isEnd && armed !== null);
          armed = batch.reduce(follow, armed);
        }
      }),
    );
  });

  it('is the newest of several', () => {
    const say = (name: string): TaskEvent => ({ type: 'user_message', text: name, kind: 'text', outputSchema: makeSchema(name) });
    const state = foldAll([say('a'), say('b')].map((event, index) => ({ seq: index + 1, atMs: index, event })));
    expect(state.outputSchema).toEqual(makeSchema('b'));
  });
});

describe('the connectors that a task can use', () => {
  const say = (connectorGrant?: readonly string[]): TaskEvent => ({
    type: 'user_message',
    text: 'x',
    kind: 'text',
    ...(connectorGrant && { connectorGrant }),
  });
  const pin: TaskEvent = { type: 'tools_pinned', tools: { mcp__a__b: 'hash' } };
  const after = (...events: TaskEvent[]) => foldAll(events.map((event, index) => ({ seq: index + 1, atMs: index, event })));

  it('are limited to those of the last author', () => {
    const chosen: TaskEvent = { type: 'equipped', connectors: ['a', 'b'] };
    expect(after(chosen, say()).taskConfig).toEqual({ connectors: ['a', 'b'] });
    expect(after(chosen, say(), say(['a'])).taskConfig).toEqual({ connectors: ['a', 'b'], connectorGrant: ['a'] });
    expect(after(chosen, say(['a']), say([])).taskConfig).toEqual({ connectors: ['a', 'b'], connectorGrant: [] });
    expect(after(chosen, say(['a']), say()).taskConfig).toEqual({ connectors: ['a', 'b'] });
  });

  it('have their tools pinned again only when they change', () => {
    expect(after(say(['a']), pin, say(['a'])).pins).toEqual({ mcp__a__b: 'hash' });
    expect(after(say(['a']), pin, say(['b'])).pins).toBeNull();
    expect(after(say(['a']), pin, say()).pins).toBeNull();
  });
});
