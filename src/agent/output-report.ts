import type { Delta } from '@errand/base/signals/deltas.ts';

/** Limit of one call; the rest is read from its result. */
const maxReported = 200_000;

/** Turns a running tool's output into deltas. Untrusted text: made well-formed and stripped of NUL, which databases reject. */
export function createReport(callId: string, tool: string, publish: (delta: Delta) => void): (text: string) => void {
  let at = 0;
  return (written) => {
    const text = written
      .slice(0, maxReported - at)
      .toWellFormed()
      .replaceAll('\0', '\ufffd');
    if (text === '') return;
    publish({ callId, tool, at, text });
    at += text.length;
  };
}
