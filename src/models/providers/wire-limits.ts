/** Timeouts and bounds of one reply. */
export interface ModelLimits {
  /** Silence before the first byte of a reply, and after it, after which the connection counts as lost. */
  firstByteMs: number;
  stallMs: number;
  /** Time limit from the request to the last byte of the reply, for a provider that keeps sending forever. */
  replyMs: number;
  /** Bytes of one reply. Far more than its text, because each token has an envelope. */
  replyBytes: number;
  /** Bytes between two line ends, which the parser has to buffer. */
  lineBytes: number;
}

export const defaultWireLimits: ModelLimits = {
  firstByteMs: 60_000,
  stallMs: 60_000,
  replyMs: 30 * 60_000,
  replyBytes: 64 << 20,
  lineBytes: 8 << 20,
};

/**
 * For servers that an account has chosen, which may be hostile. A line is longer than a token: some providers repeat the whole reply in its
 * last event.
 */
export const ownWireLimits: ModelLimits = { ...defaultWireLimits, replyBytes: 16 << 20, lineBytes: 1 << 20 };

/** What another kind of model has in time and bytes, within what a server that an account has chosen may send. */
export function boundForOwn(limits: ModelLimits): ModelLimits {
  const replyBytes = Math.min(limits.replyBytes, ownWireLimits.replyBytes);
  return { ...limits, replyBytes, lineBytes: Math.min(limits.lineBytes, replyBytes) };
}

/** Bytes that are read of the body of an error, of which one line is shown. */
export const longestRefusal = 64 << 10;
