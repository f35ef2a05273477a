import { Fault } from '@errand/base/fault.ts';
import { listZip } from '../archives/zip-entries.ts';

const maxParts = 5_000;
const maxPartsBytes = 96 * 1024 * 1024;
const maxRatio = 200;
/** Small, highly repetitive packages are legitimate. */
const freeBytes = 8 * 1024 * 1024;

/** Images, sounds, and fonts are irrelevant for text. */
const unreadPart = /\.(png|jpe?g|gif|emf|wmf|bmp|tiff?|svg|webp|mp[34]|wav|m4[av]|avi|mov|wmv|ttf|otf|odttf|fntdata|bin)$/i;

export type Parts = Map<string, Buffer>;

/**
 * The readable parts of an office file (a zip), unpacked within bounds. Libraries only receive files rebuilt from these parts, so none of
 * them ever unpacks a foreign package.
 */
export async function readParts(bytes: Buffer): Promise<Parts> {
  const parts: Parts = new Map();
  let total = 0;
  for await (const { name, kind, open } of listZip(bytes, maxParts)) {
    if (kind === 'locked') throw new Fault('invalid_argument', 'The file is protected by a password.');
    if (kind !== 'file' || unreadPart.test(name)) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of open()) {
      total += chunk.length;
      if (total > maxPartsBytes || total > freeBytes + maxRatio * bytes.length) {
        throw new Fault('payload_too_large', 'The file unpacks to more than can be read.');
      }
      chunks.push(chunk);
    }
    parts.set(name, Buffer.concat(chunks));
  }
  return parts;
}

export function partText(parts: Parts, name: string): string {
  return parts.get(name)?.toString('utf8') ?? '';
}
