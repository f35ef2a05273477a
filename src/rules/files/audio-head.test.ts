import { expect, it } from 'vitest';
import { readAudioType } from './audio-head.ts';

it.each([
  ['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
  ['audio/mpeg', 'ID3\x04\0\0'],
  ['audio/mpeg', '\xff\xfb\x90\x00'],
  ['audio/mpeg', '\xff\xf3\x84\xc4'],
  ['audio/aac', '\xff\xf1\x50\x80'],
  ['audio/aac', '\xff\xf9\x50\x80'],
  ['audio/ogg', 'OggS\0\x02'],
  ['audio/flac', 'fLaC\0\0\0\x22'],
  ['audio/mp4', '\0\0\0\x20ftypM4A '],
  ['audio/webm', '\x1aE\xdf\xa3'],
  ['audio/aiff', 'FORM\0\0\0\0AIFF'],
  ['audio/amr', '#!AMR\n'],
  [null, ''],
  [null, '\xff'],
  [null, '\xff\xd8\xff\xe0'],
  [null, '\xff\xfeh\0i\0'],
  [null, '%PDF-1.7'],
  [null, 'RIFF\0\0\0\0WEBP'],
  [null, 'hello world, this is text'],
])('a recording is recognized by its bytes: %s', (type, start) => {
  expect(readAudioType(Buffer.from(start, 'latin1'))).toBe(type);
});
