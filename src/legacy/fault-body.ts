import type { Fault, FaultCode } from '@errand/base/fault.ts';

/** gRPC codes, by which v1 reports errors (docs/reference/wire-format.md#v1-errors). */
const codes: Record<FaultCode, number> = {
  invalid_argument: 3,
  not_found: 5,
  conflict: 10,
  permission_denied: 7,
  resource_exhausted: 8,
  failed_precondition: 9,
  payload_too_large: 3,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
};

const alreadyExists = 6;

/** `{code, message, details}`; detail and cause of a fault stay inside. */
export function renderLegacyFault({ code, message, isAlreadyThere }: Fault): string {
  return JSON.stringify({ code: isAlreadyThere ? alreadyExists : codes[code], message, details: [] });
}

const legacyRoots = ['/v1', '/responses', '/files'];

/** Whether a URL belongs to v1, so that its errors have the shape of v1. */
export function isLegacyPath(path: string): boolean {
  return legacyRoots.some((root) => path === root || path.startsWith(`${root}/`)) || path.startsWith('/openapi.v2.');
}
