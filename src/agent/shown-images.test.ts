import { describe, expect, it } from 'vitest';
import { placeAttachments } from '../rules/messages/attachment-place.ts';
import type { Attachment } from '../rules/events/task-event.ts';
import type { TranscriptEntry, UserEntry } from '../rules/context/transcript.ts';
import { ShownImages } from './shown-images.ts';

/** The first bytes of a GIF, padded to a size. */
function gif(width: number, height: number, bytes = 10): Buffer {
  const image = Buffer.alloc(bytes);
  image.write('GIF89a', 'latin1');
  image.writeUInt16LE(width, 6);
  image.writeUInt16LE(height, 8);
  return image;
}

function open(kept: Record<string, Buffer>) {
  const asked: string[] = [];
  const images = new ShownImages((accountId, blobId) => {
    asked.push(`${accountId}/${blobId}`);
    const bytes = kept[blobId];
    return Promise.resolve(
      bytes
        ? (async function* () {
            yield bytes;
          })()
        : null,
    );
  });
  return { asked, images };
}

function said(...blobIds: [string, number?][]): UserEntry {
  const attachments = blobIds.map(
    ([blobId, bytes = 10]): Attachment => ({ kind: 'image', filename: `${blobId}.gif`, contentType: 'image/gif', bytes, blobId }),
  );
  return { role: 'user', text: 'look', attachments: placeAttachments([], attachments) };
}

describe('images for a model', () => {
  it('are those that the provider accepts, judged by their bytes and not their names', async () => {
    const { images } = open({ good: gif(10, 10), wide: gif(9000, 10), none: Buffer.from('<svg/> or anything') });
    const shown = await images.load('a1', [said(['good'], ['wide'], ['none'], ['gone'])], 100_000);
    expect([...shown]).toEqual([['good', { mediaType: 'image/gif', bytes: gif(10, 10) }]]);
  });

  it('are read once for all steps', async () => {
    const { images, asked } = open({ one: gif(1, 1), two: gif(2, 2) });
    await images.load('a1', [said(['one'])], 100_000);
    await images.load('a1', [said(['one']), said(['two'])], 100_000);
    expect(asked).toEqual(['a1/one', 'a1/two']);
  });

  it('are the newest that fit, and none that is too large', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `i${index}`);
    const { images } = open(Object.fromEntries(names.map((name) => [name, gif(1, 1)])));
    const shown = await images.load(
      'a1',
      names.map((name) => said([name])),
      1_000_000,
    );
    expect([...shown.keys()].toSorted()).toEqual(names.slice(5).toSorted());
    const { images: large, asked } = open({});
    await large.load('a1', [said(['huge', 4_000_000])], 1_000_000);
    expect(asked).toEqual([]);
  });

  it('are not twice the same of a step: a page that was made, and rendered to be looked at', async () => {
    const { images } = open(Object.fromEntries(['made', 'seen', 'other', 'later'].map((name) => [name, gif(1, 1)])));
    const result = (blobId: string, name: string, bytes = 10) => ({
      ...{ callId: blobId, tool: 'render', output: '', isError: false },
      pictures: [{ blobId, bytes, name }],
    });
    const step = {
      role: 'tool' as const,
      results: [result('made', 'p-1.png'), result('other', 'p-1.png', 11), result('seen', 'p-1.png')],
    };
    const transcript = [step, { ...step, results: [result('later', 'p-1.png')] }];
    // Earlier steps stay as they were sent, because providers keep what they have read.
    expect([...(await images.load('a1', transcript, 1_000_000)).keys()].toSorted()).toEqual(['later', 'other', 'seen']);
  });

  it('are those of messages and results, and take at most a quarter of the window', async () => {
    const { images } = open({ said: gif(1, 1), seen: gif(2, 2), answered: gif(3, 3) });
    const result = { callId: 'c', tool: 'read_file', output: '', isError: false };
    const seen = { ...result, pictures: [{ blobId: 'seen', bytes: 10, name: 'a.png' }] };
    const transcript: TranscriptEntry[] = [
      said(['said']),
      { role: 'tool', results: [seen, { ...result, answer: said(['answered']) }] },
    ];
    const load = async (window: number) => [...(await images.load('a1', transcript, window)).keys()];
    expect(await load(100_000)).toEqual(['answered', 'seen', 'said']);
    expect(await load(13_000)).toEqual(['answered', 'seen']);
    expect(await load(5_000)).toEqual([]);
  });
});
