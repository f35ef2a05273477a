import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { ModelFault } from '../../../models/model.ts';
import { createListener } from './cached-transcriber.ts';

const mp3 = (name: string) => Buffer.from(`ID3\x04\0\0\0\0\0\0${name}`);
const { signal } = new AbortController();

it('a recording is sent once, however often its transcript is read; one that failed is sent again', async () => {
  const asked: string[] = [];
  const transcribe = ({ bytes }: { bytes: Uint8Array }) => {
    asked.push(Buffer.from(bytes).toString('latin1').slice(10));
    return asked.length === 1 ? Promise.reject(new ModelFault('refused', 'no')) : Promise.resolve(`words ${asked.length}`);
  };
  const listener = createListener(() => ({ name: 'test/ear', maxBytes: 100, transcribe }), systemClock);
  expect(await listener.transcribe(mp3('a'), signal)).toEqual({ text: null, problem: 'no' });
  for (const name of ['a', 'a', 'b', 'a']) await listener.transcribe(mp3(name), signal);
  expect(await listener.transcribe(mp3('a'), signal)).toEqual({ text: 'words 2', problem: null });
  expect(asked).toEqual(['a', 'a', 'b']);
  for (let count = 0; count < 40; count++) await listener.transcribe(mp3(`${count}`), signal);
  await listener.transcribe(mp3('a'), signal);
  expect(asked.at(-1)).toBe('a');
});
