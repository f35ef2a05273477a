import { createECDH, createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { Clock } from '@errand/base/clock.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { readRetryAfter } from '../../rules/http/retry-after.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { encryptPush, pushAuthorization, type PushTarget, readPushKeys } from '../../rules/notifications/push-message.ts';
import type { Notice } from '../../rules/notifications/notice.ts';

const [totalMs, connectMs] = [15_000, 5000];
/** How much of a response is read; only its status matters. */
const maxBytes = 1024;
/** How long a push service keeps a message for a browser that is not online. */
const keptS = 24 * 60 * 60;

/** The outcome of an attempt. */
export type SendOutcome =
  | { outcome: 'sent' }
  /** The receiver no longer exists. */
  | { outcome: 'gone' }
  /** Another attempt would fail in the same way. */
  | { outcome: 'refused'; problem: string }
  | { outcome: 'failed'; problem: string; retryAfterMs: number | null };

export interface PushSenderParts {
  /** Endpoints are named by users: this refuses private addresses. */
  httpClient: SafeFetch;
  box: SealedBox;
  privateKey: KeyObject;
  clock: Clock;
  /** Public URL of the service, so that operators of push services know whom to contact. */
  subject(): Promise<string>;
  acceptsHttp: boolean;
}

/** Sends encrypted notifications to the push services of browsers. */
export interface PushSender {
  /** @param sealed the target of the subscription, as stored; @param isUrgent whether a device that saves energy shows it at once */
  send(
    subscription: { id: string; sealed: string },
    notice: Notice,
    isUrgent: boolean,
    signal: AbortSignal,
  ): Promise<SendOutcome>;
}

function classify(status: number, retryAfterMs: number | null): SendOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  const problem = `the push service answered with status ${status}`;
  if (status === 429 || status >= 500) return { outcome: 'failed', problem, retryAfterMs };
  return { outcome: 'refused', problem };
}

/** Messages with the same topic replace each other while the browser is offline. */
function topicOf(tag: string): string {
  return createHash('sha256').update(tag).digest('base64url').slice(0, 32);
}

/** See RFC 8030, RFC 8291, RFC 8292. */
export function createPushSender({ httpClient, box, privateKey, clock, subject, acceptsHttp }: PushSenderParts): PushSender {
  return {
    async send({ id, sealed }, notice, isUrgent, signal) {
      const target = JSON.parse(box.open(sealed, sealedPlaces.pushTarget(id))) as PushTarget;
      const keys = readPushKeys(target);
      if (!keys) return { outcome: 'gone' };
      const own = createECDH('prime256v1');
      own.generateKeys();
      const body = encryptPush(JSON.stringify(notice), keys, { privateKey: own.getPrivateKey(), salt: randomBytes(16) });
      const headers = {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        authorization: pushAuthorization(target.endpoint, { privateKey, subject: await subject() }, clock.now()),
        ttl: String(keptS),
        urgency: isUrgent ? 'high' : 'normal',
        topic: topicOf(notice.tag),
      };
      const request = { method: 'POST', headers, body, allowHttp: acceptsHttp, totalMs, connectMs, maxBytes, signal } as const;
      try {
        const reply = await httpClient.request({ url: target.endpoint, ...request });
        return classify(reply.status, readRetryAfter({ 'retry-after': reply.headers['retry-after'] ?? '' }, clock.now()));
      } catch (error) {
        if (!(error instanceof OutboundFault)) throw error;
        if (error.kind === 'blocked') return { outcome: 'refused', problem: error.message };
        return { outcome: 'failed', problem: error.message, retryAfterMs: null };
      }
    },
  };
}
