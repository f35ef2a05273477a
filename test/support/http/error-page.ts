import { expect } from 'vitest';

/** Checks that an error links to the page of its code, and leaves the link out, so that tests compare the rest. */
export function takeErrorPage<Body>(body: Body): Body {
  const { error } = (body ?? {}) as { error?: { code?: unknown; doc_url?: unknown } };
  if (typeof error !== 'object' || typeof error.code !== 'string' || error.doc_url === undefined) return body;
  expect(error.doc_url).toMatch(new RegExp(`^https?://[^/]+/docs/errors/${error.code}$`));
  delete error.doc_url;
  return body;
}
