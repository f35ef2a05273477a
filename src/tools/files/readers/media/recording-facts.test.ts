import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecording } from './recording-facts.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const le32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const be32 = (value: number) => le32(value).reverse();
const le16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const be16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

function chunk(id: string, content: Buffer, size = le32): Buffer {
  return Buffer.concat([latin(id), size(content.length), content, Buffer.alloc(content.length % 2)]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([be32(body.length + 8), latin(type), body]);
}

function comment(...lines: string[]): Buffer {
  const texts = lines.map((line) => Buffer.concat([le32(Buffer.byteLength(line)), Buffer.from(line)]));
  return Buffer.concat([le32(0), le32(lines.length), ...texts]);
}

function page(position: number, content: Buffer): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  head.writeBigInt64LE(BigInt(position), 6);
  return Buffer.concat([head, content]);
}

const wavFormat = Buffer.concat([le16(1), le16(1), le32(8000), le32(16_000), le16(2), le16(16)]);
const wav = Buffer.concat([
  latin('RIFF\0\0\0\0WAVE'),
  chunk('fmt ', wavFormat),
  chunk('LIST', Buffer.concat([latin('INFO'), chunk('INAM', Buffer.from('Übung\0'))])),
  chunk('data', Buffer.alloc(24_000)),
]);
const aiffCommon = Buffer.concat([be16(2), be32(88_200), be16(16), Buffer.from([0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0])]);
const aiff = Buffer.concat([latin('FORM\0\0\0\0AIFF'), chunk('COMM', aiffCommon, be32)]);
const id3 = Buffer.concat([latin('ID3\x03\0\0\0\0\0\x10'), latin('TIT2'), be32(6), le16(0), latin('\0A\nB\x07C')]);
// 128 kilobits per second, 44.1 kHz, two channels.
const mp3 = Buffer.concat([id3, Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(16_000 * 75 - 4)]);
const xing = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(32), latin('Xing'), be32(1), be32(100), be32(0)]);
const flacInfo = Buffer.alloc(34);
flacInfo.writeBigUInt64BE((48_000n << 44n) | (1n << 41n) | (15n << 36n) | 480_000n, 10);
const flacComment = comment('TITLE=Memo', 'artist=Ich', 'x=y');
const flac = Buffer.concat([
  latin('fLaC\0\0\0\x22'),
  flacInfo,
  Buffer.concat([Buffer.from([0x84]), be32(flacComment.length).subarray(1), flacComment]),
]);
const opusHead = Buffer.concat([latin('OpusHead\x01\x01'), le16(312), le32(16_000), Buffer.alloc(3)]);
const opus = Buffer.concat([
  page(0, opusHead),
  page(0, Buffer.concat([latin('OpusTags'), comment('title=Note')])),
  page(48_312, latin('x')),
]);
const vorbis = Buffer.concat([
  page(0, Buffer.concat([latin('\x01vorbis'), le32(0), latin('\x02'), le32(22_050)])),
  page(44_100, latin('x')),
]);
const movieHead = box('mvhd', Buffer.alloc(12), be32(1000), be32(65_500), Buffer.alloc(80));
const video = box(
  'trak',
  box('tkhd', Buffer.alloc(76), be16(640), be16(0), be16(360), be16(0)),
  box('mdia', box('hdlr', Buffer.alloc(8), latin('vide'))),
);
const tags = box('udta', box('meta', be32(0), box('ilst', box('\xa9nam', box('data', be32(1), be32(0), Buffer.from('Film'))))));
const mp4 = Buffer.concat([box('ftyp', latin('isom')), box('moov', movieHead, video, tags)]);
const m4a = Buffer.concat([box('ftyp', latin('M4A ')), box('moov', movieHead)]);
const adts = Buffer.concat(Array.from({ length: 50 }, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc, 0])));
const webm = Buffer.from('1a45dfa3801853806701ffffffffffffff1549a9668e2ad7b1830f4240448984466a6000', 'hex');

describe("the facts in a recording's header", () => {
  it.each([
    ['WAV', wav, 'WAV audio recording, 1.5 seconds, mono, 8 kHz, 24072 bytes, title "Übung"'],
    ['AIFF', aiff, 'AIFF audio recording, 2.0 seconds, stereo, 44.1 kHz, 38 bytes'],
    ['MP3', mp3, 'MP3 audio recording, 1:15 minutes, stereo, 44.1 kHz, 1200026 bytes, title "A B C"'],
    ['MP3 that counts its frames', xing, 'MP3 audio recording, 2.6 seconds, stereo, 44.1 kHz, 52 bytes'],
    ['FLAC', flac, 'FLAC audio recording, 10.0 seconds, stereo, 48 kHz, 89 bytes, title "Memo", artist "Ich"'],
    ['Opus', opus, 'Ogg Opus audio recording, 1.0 seconds, mono, 131 bytes, title "Note"'],
    ['Vorbis', vorbis, 'Ogg Vorbis audio recording, 2.0 seconds, stereo, 22.05 kHz, 71 bytes'],
    ['AAC', adts, 'AAC audio recording, 1.2 seconds, 44.1 kHz, 400 bytes'],
    ['M4A', m4a, 'MP4 audio recording, 1:06 minutes, 128 bytes'],
    ['MP4', mp4, 'MP4 video, 1:06 minutes, 640 × 360 pixels, 312 bytes, title "Film"'],
    ['WebM', webm, 'WebM audio recording, 15.0 seconds, 36 bytes'],
  ])('of %s', (_, bytes, what) => {
    expect(readRecording(bytes)).toEqual({ what, text: '' });
  });

  it('is never more than a line, whatever the file contains, and terminates', () => {
    const samples = [wav, aiff, mp3.subarray(0, 300), xing, flac, opus, vorbis, mp4, adts, webm];
    const mangled = fc.tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 12 }),
      fc.nat(400),
    );
    fc.assert(
      fc.property(mangled, ([sample, changes, length]) => {
        const bytes = Buffer.from(sample.subarray(0, Math.max(16, length)));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const read = () => {
          try {
            return readRecording(bytes).what;
          } catch (error) {
            // The thread then reports that the file is damaged.
            if (error instanceof RangeError || error instanceof TypeError) return 'damaged';
            throw error;
          }
        };
        expect(read()).toMatch(/^[^\p{Cc}]{1,6000}$/u);
      }),
      { numRuns: 500 },
    );
  });
});
