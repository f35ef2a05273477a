import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { ModelFault } from '../../../models/model.ts';
import type { Transcriber } from '../../../models/speech/transcriber.ts';
import { createListener } from './cached-transcriber.ts';

const mp3 = (name: string) => Buffer.from(`ID3\x04\0\0\0\0\0\0${name}`);
const { signal } = new AbortController();
const earOf = (transcribe: Transcriber['transcribe'], name = 'test/ear') => ({ name, maxBytes: 100, transcribe });

it('a recording is sent once, however often its transcript is read; one that failed is sent again', async () => {
  const asked: string[] = [];
  const transcribe = ({ bytes }: { bytes: Uint8Array }) => {
    asked.push(Buffer.from(bytes).toString('latin1').slice(10));
    return asked.length === 1 ? Promise.reject(new ModelFault('refused', 'no')) : Promise.resolve(`words ${asked.length}`);
  };
  const listener = createListener(systemClock);
  const listen = (name: string) => listener(mp3(name), { accountId: 'a1', transcriber: earOf(transcribe), signal });
  expect(await listen('a')).toEqual({ text: null, problem: 'no' });
  for (const name of ['a', 'a', 'b', 'a']) await listen(name);
  expect(await listen('a')).toEqual({ text: 'words 2', problem: null });
  expect(asked).toEqual(['a', 'a', 'b']);
  for (let count = 0; count < 40; count++) await listen(`${count}`);
  await listen('a');
  expect(asked.at(-1)).toBe('a');
});

it('what a model says that an account has a key of its own for is heard by that account alone', async () => {
  const asked: string[] = [];
  const listener = createListener(systemClock);
  const listen = (accountId: string, name: string) => {
    const transcribe = () => Promise.resolve(`words for ${asked.push(accountId)}`);
    return listener(mp3('a'), { accountId, transcriber: earOf(transcribe, name), signal });
  };
  for (const accountId of ['ann', 'ben', 'ann']) await listen(accountId, 'own:openai/ear');
  expect(asked).toEqual(['ann', 'ben']);
  for (const accountId of ['ann', 'ben']) await listen(accountId, 'openai/ear');
  expect(asked).toEqual(['ann', 'ben', 'ann']);
});
