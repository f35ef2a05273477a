import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import { emptyState, type TaskState } from '../../rules/tasks/task-state.ts';
import { StateCache } from './state-cache.ts';

const leaseOf = (taskId: string, fence = 1) => ({ accountId: 'a1', taskId, fence });

const folded = (state: TaskState) => ({ state, savedSeq: 0 });

function stateOf(...texts: string[]): TaskState {
  return { ...emptyState, seq: 100, transcript: texts.map((text): TranscriptEntry => ({ role: 'user', text })) };
}

function grow(state: TaskState, text: string): TaskState {
  return { ...state, seq: state.seq + 1, transcript: [...state.transcript, { role: 'user', text }] };
}

function open(maxBytes = 1_000_000) {
  const clock = new TestClock();
  return { clock, cache: new StateCache({ clock, maxBytes, ttlMs: 60_000 }) };
}

describe('StateCache', () => {
  it('never takes more than its bytes and keeps what was used last', () => {
    const { cache } = open(100_000);
    for (let task = 0; task < 50; task += 1) {
      cache.keep(leaseOf(`t${task}`), folded(stateOf('x'.repeat(5000))));
      expect(cache.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(cache.bytes).toBeGreaterThan(80_000);
    expect(cache.find(leaseOf('t49', 2))).not.toBeNull();
    expect(cache.find(leaseOf('t0', 2))).toBeNull();
    const [oldest, next] = Array.from({ length: 50 }, (_, task) => `t${task}`).filter((id) => cache.find(leaseOf(id, 2)));
    cache.keep(leaseOf(oldest ?? '', 2), folded(stateOf('x'.repeat(5000))));
    cache.keep(leaseOf('t50'), folded(stateOf('x'.repeat(5000))));
    expect(cache.find(leaseOf(oldest ?? '', 3))).not.toBeNull();
    expect(cache.find(leaseOf(next ?? '', 3))).toBeNull();
  });

  it('counts a conversation the same whether it is kept after each message or at the end', () => {
    const { cache: often } = open();
    const { cache: once } = open();
    let state = stateOf('The first message.');
    for (let turn = 1; turn < 40; turn += 1) {
      state = grow(state, `message ${'m'.repeat(turn)}`);
      often.keep(leaseOf('t1', turn), folded(state));
    }
    once.keep(leaseOf('t1'), folded(state));
    expect(often.bytes).toBe(once.bytes);
    // Cleared results make it smaller, also when the ends of the conversation stay.
    const cleared = { ...state, clearedBefore: 20, transcript: state.transcript.filter((_, at) => at % 2 === 0 || at > 37) };
    often.keep(leaseOf('t1', 41), folded(cleared));
    expect(often.bytes).toBeLessThan(once.bytes * 0.7);
  });

  it('holds neither short logs nor a conversation that would displace all others', () => {
    const { cache } = open(100_000);
    cache.keep(leaseOf('t1'), folded({ ...stateOf('x'), seq: 10 }));
    cache.keep(leaseOf('t2'), folded(stateOf('x'.repeat(20_000))));
    expect(cache.bytes).toBe(0);
  });

  it('drops what was not used for its lifetime', async () => {
    const { clock, cache } = open();
    cache.keep(leaseOf('t1'), folded(stateOf('x')));
    await clock.advance(50_000);
    cache.keep(leaseOf('t2'), folded(stateOf('x')));
    await clock.advance(10_000);
    cache.expire();
    expect(cache.find(leaseOf('t1', 2))).toBeNull();
    expect(cache.find(leaseOf('t2', 2))).not.toBeNull();
    await clock.advance(60_000);
    cache.expire();
    expect(cache.bytes).toBe(0);
  });

  it('gives a state only to a later claim, of the same task of the same account', () => {
    const { cache } = open();
    cache.keep(leaseOf('t1', 5), folded(stateOf('x')));
    expect(cache.find(leaseOf('t1', 6))).not.toBeNull();
    expect(cache.find(leaseOf('t1', 5))).toBeNull();
    expect(cache.find({ ...leaseOf('t1', 6), accountId: 'a2' })).toBeNull();
    // A run that was cut off ends after the one that has replaced it.
    cache.keep(leaseOf('t1', 4), folded(stateOf('older')));
    expect(cache.find(leaseOf('t1', 6))?.state.transcript).toMatchObject([{ text: 'x' }]);
  });
});
