/** The facts in a recording's header. Unknown ones are omitted. */
export interface MediaFacts {
  format: string;
  seconds?: number;
  /** Samples per second. */
  rate?: number;
  channels?: number;
  /** Size of a video in pixels. */
  width?: number;
  height?: number;
  hasPicture?: boolean;
  tags?: Record<string, string>;
}

const longestTag = 300;
const mostTags = 12;

/** Untrusted tags, one line each: bounded, without control characters, and without empty ones. */
export function cleanTags(tags: Iterable<readonly [name: string, text: string]>): { tags?: Record<string, string> } {
  const clean = new Map<string, string>();
  for (const [name, text] of tags) {
    const line = text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim();
    if (line !== '' && !clean.has(name) && clean.size < mostTags) clean.set(name, line.slice(0, longestTag).toWellFormed());
  }
  return clean.size === 0 ? {} : { tags: Object.fromEntries(clean) };
}

/** A plausible duration; null for damaged headers. */
export function secondsOf(samples: number, rate: number): { seconds?: number } {
  const seconds = samples / rate;
  return Number.isFinite(seconds) && seconds >= 0 && seconds < 1e7 ? { seconds } : {};
}
