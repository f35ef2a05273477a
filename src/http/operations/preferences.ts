import type { IncomingHttpHeaders } from 'node:http';

const strictHandling = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[;,]|$)/i;

/** Whether a request asks with `Prefer: handling=strict` (RFC 7240, 4.4) that nothing in it is ignored. */
export function isStrictRequest({ prefer }: IncomingHttpHeaders): boolean {
  return prefer !== undefined && strictHandling.test(String(prefer));
}

/** The headers that tell what was ignored, and that a preference was followed. */
export function preferenceHeaders(context: { isStrict: boolean; ignored: readonly string[] }): Record<string, string> {
  return {
    ...(context.ignored.length > 0 && { 'errand-ignored': context.ignored.join(', ') }),
    ...(context.isStrict && { 'preference-applied': 'handling=strict' }),
  };
}
