import { Fault, invalidField } from '@errand/base/fault.ts';

/** Error codes of Fastify and the parser for callers' mistakes. */
const callerMistakes: Record<string, () => Fault> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Fault('payload_too_large', 'The request body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => invalidField('content-type', 'must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalidField('content-length', 'does not match the length of the body'),
  FST_ERR_BAD_URL: () => new Fault('invalid_argument', 'The path is not valid percent-encoding.'),
  // Longer than any valid URL.
  FST_ERR_MAX_PARAM_LENGTH: () => new Fault('not_found', 'Nothing exists at this URL.'),
};

/** The fault of a caller that disconnected while sending the body; nobody receives it. */
export const bodyCut = new Fault('invalid_argument', 'The request body ended too early.');

/** Converts anything thrown to the error that leaves the service. Unexpected errors are `internal` and keep their cause. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code = (error as { code?: string } | null | undefined)?.code ?? '';
  const known = Object.hasOwn(callerMistakes, code) ? callerMistakes[code] : undefined;
  return known?.() ?? new Fault('internal', 'Something went wrong inside the service.', { cause: error });
}
