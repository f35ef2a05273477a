import { describe, expect, it } from 'vitest';
import { ModelFault } from '../../src/models/model.ts';
import { openTranscriber } from '../../src/models/speech/speech-model.ts';
import type { Transcriber } from '../../src/models/speech/transcriber.ts';
import { type ModelServer, type Step, useModelServer } from '../support/models/model-server.ts';

let server: ModelServer;
useModelServer((started) => {
  server = started;
});

const apiKey = 'key-canary-4711';
const recording = { mediaType: 'audio/ogg', bytes: Buffer.concat([Buffer.from('OggS'), Buffer.alloc(5000, 7)]) };
const signal = () => new AbortController().signal;

function open(model: string | null, mainModel = 'offline/offline-1'): Transcriber | null {
  const isGoogle = (model ?? mainModel).startsWith('google/');
  const baseUrl = isGoogle ? server.googleUrl : server.openaiUrl;
  return openTranscriber({ model, baseUrl, apiKey }, {}, mainModel);
}

async function play(transcriber: Transcriber | null, step: Step): Promise<string> {
  await server.script([{ order: 'call', steps: [step] }]);
  return (await transcriber?.transcribe(recording, signal())) ?? 'no transcriber';
}

describe.each(['openai/whisper-1', 'openai/gpt-4o-mini-transcribe', 'compatible/some-whisper', 'google/gemini-3.5-transcribe'])(
  '%s',
  (name) => {
    it('receives the recording with its type and the key, and returns the transcript', async () => {
      expect(await play(open(name), { text: ' Grüß dich, wörld 🌍\n' })).toBe('Grüß dich, wörld 🌍');
      const [call] = await server.calls();
      expect(call?.body).toMatchObject({ model: name.slice(name.indexOf('/') + 1), mediaType: 'audio/ogg', bytes: 5004 });
      expect(JSON.stringify(call?.headers)).toContain(apiKey);
    });

    it.each([
      [{ status: 401 }, 'refused'],
      [{ status: 429, headers: { 'retry-after': '7' } }, 'overloaded'],
      [{ status: 503 }, 'unavailable'],
      [{ end: 'cut' }, 'unavailable'],
      [{ body: '{"nothing": 1', status: 200 }, 'malformed'],
    ] as const)('reports a failure by what can be done about it: %j', async (step, kind) => {
      const error = await play(open(name), step as Step).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ModelFault);
      expect(error).toMatchObject({ kind, message: expect.stringMatching(`^${name}: `) as string });
      if (kind === 'overloaded') expect((error as ModelFault).retryAfterMs).toBe(7000);
      expect((error as Error).message).not.toContain(apiKey);
    });

    it('closes the socket as soon as the transcript is not needed any more', async () => {
      await server.script([{ order: 'call', steps: [{ end: 'stall' }] }]);
      const stop = new AbortController();
      const running = open(name)?.transcribe(recording, stop.signal);
      await server.waitFor({ state: 'started' });
      stop.abort(new Error('stopped'));
      await expect(running).rejects.toThrow('stopped');
      const [call] = await server.waitFor({ state: 'closed' });
      expect(call?.outcome).toBe('aborted');
    });
  },
);

describe('the speech model', () => {
  it('is that of the provider in use, unless another or none is configured', () => {
    const own = { model: null, baseUrl: null, apiKey: null };
    const keys = { providerKeys: { openai: 'a', google: 'b', anthropic: 'c' } };
    expect(openTranscriber(own, keys, 'openai/gpt-5')?.name).toBe('openai/gpt-4o-mini-transcribe');
    expect(openTranscriber(own, keys, 'google/gemini-2.5-pro')?.name).toBe('google/gemini-3.5-transcribe');
    for (const main of ['anthropic/claude-sonnet-4-5', 'compatible/some-model', 'ollama/llama', 'offline/offline-1']) {
      expect(openTranscriber(own, { ...keys, baseUrl: server.openaiUrl }, main)).toBeNull();
    }
    expect(openTranscriber({ ...own, model: 'none' }, keys, 'openai/gpt-5')).toBeNull();
    expect(openTranscriber({ ...own, model: 'openai/whisper-1' }, keys, 'anthropic/claude')?.name).toBe('openai/whisper-1');
  });

  it('is never sent the key of another provider', async () => {
    const main = { apiKey: 'key-of-the-main-model', baseUrl: server.anthropicUrl, providerKeys: { openai: 'its-own-key' } };
    const transcriber = openTranscriber(
      { model: 'openai/whisper-1', baseUrl: server.openaiUrl, apiKey: null },
      main,
      'anthropic/claude',
    );
    expect(await play(transcriber, { text: 'ok' })).toBe('ok');
    const [call] = await server.calls();
    expect(call?.headers['authorization']).toBe('Bearer its-own-key');
    expect(() =>
      openTranscriber({ model: 'openai/whisper-1', baseUrl: null, apiKey: null }, { apiKey: 'x' }, 'anthropic/c'),
    ).toThrow('ERRAND_SPEECH_API_KEY must be set');
  });
});
