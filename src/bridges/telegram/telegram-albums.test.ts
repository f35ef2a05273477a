import { describe, expect, it } from 'vitest';
import type { ChatFile } from '../platform/chat-platform.ts';
import { countAlbumParts, gatherNews, hasOpenAlbum, type TelegramUpdate } from './telegram-albums.ts';

function file(filename: string): ChatFile {
  return { filename, contentType: null, isVoice: false, bytes: null, fetch: () => Promise.resolve(Buffer.alloc(0)) };
}

function update(updateId: number, text: string, album: string | null = null, chat = 'a'): TelegramUpdate {
  const about = { id: String(updateId), chat, person: chat, title: chat, language: null, place: null };
  const files = album === null ? [] : [file(`${updateId}.jpg`)];
  return { updateId, album, incoming: { ...about, said: { kind: 'message', text, files } } };
}

function summarize(updates: readonly TelegramUpdate[]) {
  return gatherNews(updates).map(({ incoming, confirmed }) => {
    const said = incoming?.said.kind === 'message' ? incoming.said : null;
    return { id: incoming?.id, text: said?.text, files: said?.files.map(({ filename }) => filename), confirmed };
  });
}

describe('a Telegram album', () => {
  it('is one message with several files and the caption, whose ID contains its first and last update', () => {
    expect(summarize([update(4, 'look', '77'), update(5, '', '77'), update(6, '', '77'), update(7, 'and?')])).toEqual([
      { id: '4-6', text: 'look', files: ['4.jpg', '5.jpg', '6.jpg'], confirmed: 6 },
      { id: '7', text: 'and?', files: [], confirmed: 7 },
    ]);
  });

  it('is confirmed only with its last part, if other messages came between', () => {
    expect(summarize([update(4, '', '77'), update(5, 'other', null, 'b'), update(6, '', '77')])).toEqual([
      { id: '5', text: 'other', files: [], confirmed: null },
      { id: '4-6', text: '', files: ['4.jpg', '6.jpg'], confirmed: 6 },
    ]);
  });

  it('belongs to one chat, even if another chat uses the same number', () => {
    expect(summarize([update(4, '', '77', 'a'), update(5, '', '77', 'b')]).map(({ id }) => id)).toEqual(['4', '5']);
  });

  it('is complete at ten parts, and may continue until then', () => {
    const parts = Array.from({ length: 10 }, (_, index) => update(index + 1, '', '77'));
    expect(hasOpenAlbum(parts)).toBe(false);
    expect(hasOpenAlbum(parts.slice(1))).toBe(true);
    expect(hasOpenAlbum([update(1, 'alone')])).toBe(false);
    expect(countAlbumParts([...parts, update(11, 'alone')])).toBe(10);
  });

  it('confirms empty updates, so that they are not delivered again', () => {
    expect(gatherNews([{ updateId: 3, incoming: null, album: null }])).toEqual([{ incoming: null, confirmed: 3 }]);
  });
});
