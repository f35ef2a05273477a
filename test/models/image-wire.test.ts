import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ModelFault } from '../../src/models/model.ts';
import { openPictureModel, pictureLimits } from '../../src/models/pictures/open-picture-model.ts';
import type { PictureModel } from '../../src/models/pictures/picture-model.ts';
import type { PictureRequest } from '../../src/models/pictures/picture-request.ts';
import { type ImageReply, type ImageServer, startImageServer } from '../support/models/image-server.ts';

const apiKey = 'key-canary-4711';
const signal = () => new AbortController().signal;
const order: PictureRequest = { prompt: 'A lighthouse', shape: 'landscape', quality: 'high', sources: [] };
const usage = { input: 20, output: 1000 };
const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#f00' } })
  .png()
  .toBuffer();

function open(server: ImageServer, model: string, limits = pictureLimits, price: number | null = null): PictureModel {
  const opened = openPictureModel({ model, baseUrl: `${server.url}/v1`, apiKey, price }, {}, '', { limits });
  if (!opened) throw new Error('there is no model');
  return opened;
}

async function fail(name: string, reply: ImageReply): Promise<ModelFault> {
  await using server = await startImageServer(() => reply);
  const error = await open(server, name)
    .make(order, signal())
    .catch((reason: unknown) => reason);
  if (!(error instanceof ModelFault)) throw new Error('it did not fail', { cause: error });
  return error;
}

describe('OpenAI images', () => {
  it('are made from words, shape, and quality, and cost what the tokens cost', async () => {
    await using server = await startImageServer(() => ({ picture: png, usage }));
    const made = await open(server, 'openai/gpt-image-2.5-flare').make(order, signal());
    expect(Buffer.from(made.bytes)).toEqual(png);
    // 20 tokens at 800 credits a million, and 1,000 at 3,000.
    expect(made).toMatchObject({ usage, cost: 16_000 + 3_000_000 });
    const [call] = server.calls;
    expect(call?.path).toBe('/v1/images/generations');
    expect(call?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(JSON.parse(String(call?.body))).toEqual({
      ...{ model: 'gpt-image-2.5-flare', prompt: 'A lighthouse', n: 1, size: '1536x1024', quality: 'high' },
    });
  });

  it('are changed by a form with every picture and its type', async () => {
    await using server = await startImageServer(() => ({ picture: png }));
    const jpeg = await sharp(png).jpeg().toBuffer();
    await open(server, 'openai/gpt-image-2.5-flare').make({ ...order, sources: [png, jpeg] }, signal());
    const [call] = server.calls;
    expect(call?.path).toBe('/v1/images/edits');
    const form = call?.body.toString('latin1') ?? '';
    expect(form.match(/name="image(\[\])?"/g)).toHaveLength(2);
    expect(form).toContain('Content-Type: image/png');
    expect(form).toContain('Content-Type: image/jpeg');
    expect(form).toMatch(/name="prompt"\r\n\r\nA lighthouse/);
  });

  it('of servers for open models are asked for as bytes, and for nothing that these may not know', async () => {
    await using server = await startImageServer(() => ({ picture: png }));
    const made = await open(server, 'compatible/flux').make(order, signal());
    expect(made.cost).toBe(0);
    expect(JSON.parse(String(server.calls[0]?.body))).toEqual({
      ...{ model: 'flux', prompt: 'A lighthouse', n: 1, size: '1536x1024', response_format: 'b64_json' },
    });
  });
});

describe('Gemini images', () => {
  it('are made and changed by the same call, in the shape that is asked for', async () => {
    await using server = await startImageServer(() => ({ picture: png, usage }));
    const made = await open(server, 'google/gemini-nano-banana-2.1').make({ ...order, sources: [png] }, signal());
    expect(Buffer.from(made.bytes)).toEqual(png);
    expect(made.cost).toBe(20 * 150 + 1000 * 3000);
    const [call] = server.calls;
    expect(call?.path).toBe('/v1/models/gemini-nano-banana-2.1:generateContent');
    expect(call?.headers['x-goog-api-key']).toBe(apiKey);
    expect(JSON.parse(String(call?.body))).toMatchObject({
      contents: [{ parts: [{ text: 'A lighthouse' }, { inlineData: { mimeType: 'image/png', data: png.toString('base64') } }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    });
  });

  it('that its rules forbid are refused with a word that says so', async () => {
    const body = JSON.stringify({ candidates: [{ content: { parts: [] }, finishReason: 'IMAGE_SAFETY' }] });
    expect(await fail('google/gemini-nano-banana-2.1', { status: 200, body })).toMatchObject({
      kind: 'refused',
      message: 'google/gemini-nano-banana-2.1: it made no picture, which is how it refuses what its rules forbid',
    });
  });
});

describe('a picture that does not come', () => {
  const say = (message: string) => JSON.stringify({ error: { message, type: 'x', param: null, code: 'x' } });

  it.each([
    [{ status: 400, body: say('Rejected by the safety system.') }, 'refused', /\(400\): Rejected by the safety system\.$/],
    [{ status: 400, body: say(`Invalid value: '9x9', key ${apiKey}`) }, 'refused', /Invalid value: '9x9', key \[hidden\]$/],
    [{ status: 401, body: say('No.') }, 'refused', /\(401\)/],
    [{ status: 429, body: say('Slow down.'), headers: { 'retry-after': '7' } }, 'overloaded', /\(429\)/],
    [{ status: 503, body: 'away' }, 'unavailable', /failed/],
    [{ status: 200, body: '{"data": [{"url": "https://x"}]}' }, 'malformed', /understood/],
    [{ status: 200, body: '{"data": [{"b64_json": ""}]}' }, 'malformed', /no usable picture/],
  ] as const)('tells what can be done about it: %j', async (reply, kind, message) => {
    const fault = await fail('openai/gpt-image-2.5-flare', reply);
    expect(fault).toMatchObject({ kind, message: expect.stringMatching(message) as string });
    expect(fault.message).not.toContain(apiKey);
    if (kind === 'overloaded') expect(fault.retryAfterMs).toBe(7000);
  });

  it('because it is larger than any picture ends while it arrives', async () => {
    await using server = await startImageServer(() => ({ picture: Buffer.alloc(3000) }));
    const limits = { ...pictureLimits, replyBytes: 2000 };
    const made = open(server, 'compatible/flux', limits).make(order, signal());
    await expect(made).rejects.toThrow('the reply is too large');
  });

  it('because nothing is sent ends after the time for the first byte', async () => {
    await using server = await startImageServer(() => null);
    const made = open(server, 'compatible/flux', { ...pictureLimits, firstByteMs: 20 }).make(order, signal());
    await expect(made).rejects.toThrow('no data for');
  });

  it('because its task is stopped ends with the reason', async () => {
    const stop = new AbortController();
    await using server = await startImageServer(() => {
      stop.abort(new Error('stopped'));
      return null;
    });
    await expect(open(server, 'compatible/flux').make(order, stop.signal)).rejects.toThrow('stopped');
  });
});

describe('the image model', () => {
  const own = { model: null, baseUrl: null, apiKey: null, price: null };
  const keys = { providerKeys: { openai: 'a', google: 'b', anthropic: 'c' } };

  it('is that of the provider in use, unless another or none is configured', () => {
    expect(openPictureModel(own, keys, 'openai/gpt-5')?.name).toBe('openai/gpt-image-2.5-flare');
    expect(openPictureModel(own, keys, 'google/gemini-3-flash')?.name).toBe('google/gemini-nano-banana-2.1');
    for (const main of ['anthropic/claude-sonnet-5', 'compatible/some', 'ollama/llama', 'offline/offline-1', '']) {
      expect(openPictureModel(own, { ...keys, baseUrl: 'http://localhost:1' }, main)).toBeNull();
    }
    expect(openPictureModel({ ...own, model: 'none' }, keys, 'openai/gpt-5')).toBeNull();
    expect(() => openPictureModel({ ...own, model: 'anthropic/x' }, keys, '')).toThrow('has no image models');
  });

  it('is never sent the key of another provider', () => {
    const main = { apiKey: 'key-of-the-main-model', baseUrl: 'http://localhost:1' };
    const images = { ...own, model: 'openai/gpt-image-2' };
    expect(() => openPictureModel(images, main, 'anthropic/claude')).toThrow('ERRAND_IMAGE_API_KEY must be set');
  });

  it('is expected to cost its price, or the tokens of the largest picture of that quality', () => {
    const estimate = (price: number | null, name = 'openai/gpt-image-2') =>
      openPictureModel({ ...own, model: name, price }, keys, '')?.estimate(order).cost;
    expect(estimate(4.5)).toBe(4_500_000);
    expect(estimate(null)).toBeGreaterThan(20_000_000);
    expect(estimate(null, 'openai/unheard-of')).toBe(0);
  });
});
