import { describe, expect, it } from 'vitest';
import type { IncomingFile } from '../platform/chat-platform.ts';
import { countAlbumParts, gatherNews, hasOpenAlbum, type Told } from './telegram-albums.ts';

function file(filename: string): IncomingFile {
  return { filename, contentType: null, isVoice: false, bytes: null, fetch: () => Promise.resolve(Buffer.alloc(0)) };
}

function told(updateId: number, text: string, album: string | null = null, chat = 'a'): Told {
  const about = { id: String(updateId), chat, person: chat, title: chat, language: null, place: null };
  const files = album === null ? [] : [file(`${updateId}.jpg`)];
  return { updateId, album, incoming: { ...about, said: { kind: 'message', text, files } } };
}

function summarize(updates: readonly Told[]) {
  return gatherNews(updates).map(({ incoming, confirmed }) => {
    const said = incoming?.said.kind === 'message' ? incoming.said : null;
    return { id: incoming?.id, text: said?.text, files: said?.files.map(({ filename }) => filename), confirmed };
  });
}

describe('an album of Telegram', () => {
  it('is one message with several files and the caption, under a name that tells its beginning and end', () => {
    expect(summarize([told(4, 'look', '77'), told(5, '', '77'), told(6, '', '77'), told(7, 'and?')])).toEqual([
      { id: '4-6', text: 'look', files: ['4.jpg', '5.jpg', '6.jpg'], confirmed: 6 },
      { id: '7', text: 'and?', files: [], confirmed: 7 },
    ]);
  });

  it('confirms nothing before the last part of it that others came between', () => {
    expect(summarize([told(4, '', '77'), told(5, 'other', null, 'b'), told(6, '', '77')])).toEqual([
      { id: '5', text: 'other', files: [], confirmed: null },
      { id: '4-6', text: '', files: ['4.jpg', '6.jpg'], confirmed: 6 },
    ]);
  });

  it('belongs to one chat, whatever number another chat gives its own', () => {
    expect(summarize([told(4, '', '77', 'a'), told(5, '', '77', 'b')]).map(({ id }) => id)).toEqual(['4', '5']);
  });

  it('is over when it has ten parts, and may go on before', () => {
    const parts = Array.from({ length: 10 }, (_, index) => told(index + 1, '', '77'));
    expect(hasOpenAlbum(parts)).toBe(false);
    expect(hasOpenAlbum(parts.slice(1))).toBe(true);
    expect(hasOpenAlbum([told(1, 'alone')])).toBe(false);
    expect(countAlbumParts([...parts, told(11, 'alone')])).toBe(10);
  });

  it('goes by the numbers of updates that say nothing, so that they do not come again', () => {
    expect(gatherNews([{ updateId: 3, incoming: null, album: null }])).toEqual([{ incoming: null, confirmed: 3 }]);
  });
});
