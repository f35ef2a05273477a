import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { ModelFault, type ModelReply } from '../model.ts';
import { longestReply, mostCalls, ReplyBuilder } from './reply-builder.ts';

const request = { system: '', transcript: [], tools: [] };

function finish(unified: LanguageModelV4FinishReason['unified'] = 'stop'): LanguageModelV4StreamPart {
  const inputTokens = { total: 9, noCache: 5, cacheRead: 4, cacheWrite: 0 };
  const outputTokens = { total: 3, text: 3, reasoning: 0 };
  return { type: 'finish', finishReason: { unified, raw: unified }, usage: { inputTokens, outputTokens } };
}

function say(id: string, ...texts: string[]): LanguageModelV4StreamPart[] {
  return [
    { type: 'text-start', id },
    ...texts.map((delta) => ({ type: 'text-delta', id, delta }) as const),
    { type: 'text-end', id },
  ];
}

function build(...parts: LanguageModelV4StreamPart[]): ModelReply {
  const builder = new ReplyBuilder(request, { onText: () => undefined });
  for (const part of parts) builder.add(part);
  return builder.build();
}

function kindOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof ModelFault ? error.kind : 'another error';
  }
  return 'no fault';
}

describe('ReplyBuilder', () => {
  it('keeps parts in the order they started, even if their pieces are interleaved', () => {
    const reply = build(
      { type: 'reasoning-start', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'reasoning-delta', id: 'r', delta: 'why', providerMetadata: { p: { early: true } } },
      { type: 'text-delta', id: 't', delta: 'b' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { signature: 's' } } },
      { type: 'text-end', id: 't' },
      finish(),
    );
    expect(reply).toEqual({
      parts: [
        { type: 'reasoning', text: 'why', provider: { p: { signature: 's' } } },
        { type: 'text', text: 'ab' },
      ],
      usage: { input: 9, output: 3, cached: 4 },
    });
  });

  it.each(['stop', 'length', 'content-filter'] as const)('accepts an empty reply with reason %s', (reason) => {
    expect(build(finish(reason)).parts).toEqual([]);
  });

  it.each(['tool-calls', 'error', 'interrupted', 'other'] as const)('rejects an empty reply with reason %s', (reason) => {
    expect(kindOf(() => build(finish(reason)))).toBe('malformed');
  });

  it('keeps the beginning of a call that was never completed, marked as cut', () => {
    const reply = build(
      { type: 'tool-input-start', id: 'c1', toolName: 'write_file' },
      { type: 'tool-input-delta', id: 'c1', delta: `{"path":"${'x'.repeat(5000)}` },
      finish('length'),
    );
    expect(reply.parts).toEqual([
      { type: 'call', id: 'c1', tool: 'write_file', input: `{"path":"${'x'.repeat(1991)}`, isCut: true },
    ]);
  });

  it('rejects a reply of reasoning alone as empty', () => {
    const reasoning: LanguageModelV4StreamPart[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    ];
    expect(kindOf(() => build(...reasoning, finish('other')))).toBe('malformed');
  });

  it('rejects a truncated reply, with or without an error', () => {
    for (const end of [[], [finish('interrupted')], [finish('error')]]) {
      expect(kindOf(() => build(...say('t', 'half a'), ...end))).toBe('unavailable');
    }
  });

  it('rethrows the error of a stream', () => {
    const error = new Error('from the provider');
    expect(() => build(...say('t', 'a'), { type: 'error', error })).toThrow(error);
  });

  it('limits text, reasoning and tool input together', () => {
    const half = 'x'.repeat(longestReply / 2);
    const input: LanguageModelV4StreamPart = { type: 'tool-input-delta', id: 'c', delta: half };
    expect(kindOf(() => build(...say('t', half), finish()))).toBe('no fault');
    expect(kindOf(() => build(...say('t', half), input, ...say('u', 'y'), finish()))).toBe('malformed');
  });

  it('rejects a piece of a part that never started', () => {
    expect(kindOf(() => build({ type: 'text-delta', id: 'ghost', delta: 'boo' }))).toBe('malformed');
  });

  it.each<[string, (at: number) => LanguageModelV4StreamPart]>([
    ['begun', (at) => ({ type: 'tool-input-start', id: `c${at}`, toolName: 't' })],
    ['whole', (at) => ({ type: 'tool-call', toolCallId: `c${at}`, toolName: 't', input: '{}' })],
  ])('rejects a reply with more calls than any model makes, as soon as they are %s', (_, call) => {
    const builder = new ReplyBuilder(request, { onText: () => undefined });
    for (let at = 0; at < mostCalls; at++) builder.add(call(at));
    expect(kindOf(() => builder.add(call(mostCalls)))).toBe('malformed');
  });

  it.each([1e16, 1_000_000_001, 0.5, -1, Number.NaN])('estimates the usage where the server reports %d tokens', (tokens) => {
    const reported = {
      inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 3, text: 3, reasoning: 0 },
    };
    const usages = [
      { ...reported, inputTokens: { ...reported.inputTokens, total: tokens } },
      { ...reported, inputTokens: { ...reported.inputTokens, cacheRead: tokens } },
      { ...reported, inputTokens: { ...reported.inputTokens, cacheWrite: tokens } },
      { ...reported, outputTokens: { ...reported.outputTokens, total: tokens } },
    ];
    for (const usage of usages) {
      const { usage: counted } = build(...say('t', 'a'), {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
      });
      for (const count of Object.values(counted)) expect(Number.isSafeInteger(count) && count >= 0 && count < 1000).toBe(true);
    }
  });

  it('omits tools that the provider ran itself', () => {
    const ran: LanguageModelV4StreamPart = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'web',
      input: '{}',
      providerExecuted: true,
    };
    expect(build(...say('t', 'a'), ran, finish()).parts).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('replaces ids that a provider would reject later', () => {
    const call = (toolCallId: string): LanguageModelV4StreamPart => ({
      type: 'tool-call',
      toolCallId,
      toolName: 't',
      input: '{}',
    });
    const { parts } = build(call('ok_1'), call('ok_1'), call('x'.repeat(65)), call('no spaces'), call(''), finish('tool-calls'));
    const ids = parts.map((part) => (part.type === 'call' ? part.id : ''));
    expect(ids[0]).toBe('ok_1');
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
