import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { packEntry, readZip, unpackEntry, writeZip } from './zip-archive.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sample = () => Buffer.from(zipSync({ 'a.xml': bytes('<a/>'.repeat(500)), 'ö/b.png': [bytes('b'), { level: 0 }] }));
const mebibyte = 1024 * 1024;

/** With a field of the directory's first entry changed. */
function withField(offset: number, value: number, width: 2 | 4 = 4): Buffer {
  const archive = sample();
  const directory = archive.readUInt32LE(archive.length - 6);
  if (width === 4) archive.writeUInt32LE(value, directory + offset);
  else archive.writeUInt16LE(value, directory + offset);
  return archive;
}

describe('an archive', () => {
  it('keeps the packed bytes, names, times, and order of what is not changed', () => {
    const entries = readZip(sample());
    const again = readZip(writeZip(entries));
    expect(again).toEqual(entries);
    const changed = writeZip([packEntry('a.xml', bytes('new'), entries[0]), ...entries.slice(1), packEntry('c', bytes('c'))]);
    const made = readZip(changed);
    expect(made.map(({ name }) => name)).toEqual(['a.xml', 'ö/b.png', 'c']);
    expect(made.map((entry) => unpackEntry(entry, mebibyte).toString())).toEqual(['new', 'b', 'c']);
    expect(made[0]?.time).toBe(entries[0]?.time);
    expect(made[1]).toEqual(entries[1]);
  });

  it('is refused if it is cut, or says something wrong about itself', () => {
    const whole = sample();
    const unpackAll = (archive: Buffer) => readZip(archive).map((entry) => unpackEntry(entry, mebibyte));
    for (let length = 0; length < whole.length; length++)
      expect(() => unpackAll(whole.subarray(0, length)), `${length}`).toThrow(/path: /);
    const wrong: [string, Buffer][] = [
      ['size', withField(24, 7)],
      ['a size beyond all bounds', withField(24, 0xffffffff)],
      ['packed size', withField(20, 0x7fffffff)],
      ['sum', withField(16, 1)],
      ['place', withField(42, 0x7fffffff)],
      ['method', withField(10, 99, 2)],
      ['password', withField(8, 1, 2)],
      ['name length', withField(28, 0xffff, 2)],
    ];
    for (const [what, archive] of wrong) expect(() => unpackAll(archive), what).toThrow(/path: /);
  });

  it('is refused if two entries have one name or share bytes', () => {
    const [first] = readZip(sample());
    if (!first) throw new Error('the sample is empty');
    expect(() => readZip(writeZip([first, first]))).toThrow('damaged');
    const archive = writeZip([first, { ...first, name: 'b.xml', nameBytes: Buffer.from('b.xml') }]);
    const second = archive.lastIndexOf('b.xml') - 46;
    archive.writeUInt32LE(0, second + 42);
    expect(() => readZip(archive)).toThrow('damaged');
  });

  it('unpacks no more than is allowed, whatever it declares', () => {
    const bomb = readZip(Buffer.from(zipSync({ a: new Uint8Array(40 * mebibyte) })))[0];
    if (!bomb) throw new Error('no entry');
    expect(() => unpackEntry(bomb, 32 * mebibyte)).toThrow('too large to edit');
    expect(() => unpackEntry({ ...bomb, size: 10 }, 32 * mebibyte)).toThrow('damaged');
  });
});
