import { html, type Html } from './html.ts';

/** A moment as people read it, the same for everybody. */
export function renderTime(ms: number | null): Html {
  if (ms === null) return html`never`;
  const text = new Date(ms).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
