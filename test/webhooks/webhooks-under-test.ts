import { buildWebhooks, type Webhooks } from '../../src/app/channels/build-webhooks.ts';
import { systemClock } from '@errand/base/clock.ts';
import { randomFraction } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Database } from '../../src/store/db/database.ts';
import { type ReceivedMessage, Receiver } from '../support/webhooks/receiver.ts';
import { verifyRsa, verifyStandard } from '../support/webhooks/webhook-verifier.ts';
import { type Answer, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

const box = new SealedBox('the secret of this test');

export interface TestBedOptions {
  /** CIDR blocks that may be reached although they are not public. */
  allow?: readonly string[];
  acceptsHttp?: boolean;
}

/** The API, the worker that sends, and a receiver, over real sockets. */
export class WebhooksUnderTest {
  readonly api: ApiUnderTest;
  readonly receiver: Receiver;
  readonly #webhooks: Webhooks;

  private constructor(api: ApiUnderTest, receiver: Receiver, webhooks: Webhooks) {
    this.api = api;
    this.receiver = receiver;
    this.#webhooks = webhooks;
  }

  static async start(database: Database, { allow = ['127.0.0.0/8'], acceptsHttp = true }: TestBedOptions = {}) {
    const parts = { clock: systemClock, log: silentLog, chance: randomFraction, drainMs: 1000 };
    const httpClient = createSafeFetch({ allow, clock: systemClock });
    const webhooks = buildWebhooks({ ...parts, database, box, httpClient, acceptsHttp });
    const [api, receiver] = await Promise.all([ApiUnderTest.start(database, { webhooks: webhooks.service }), Receiver.start()]);
    for (const worker of webhooks.workers) await worker.start();
    return new WebhooksUnderTest(api, receiver, webhooks);
  }

  /** Registers a path of the receiver. */
  async register(path = '/hook'): Promise<{ id: string; url: string }> {
    const { status, body } = await this.api.call('webhook.create', { url: this.receiver.url(path) });
    if (status !== 200) throw new Error(`webhook.create answered ${status}: ${JSON.stringify(body)}`);
    return (body as Json).webhook as { id: string; url: string };
  }

  /** What the person who runs the instance asks, acting for the owner of the API key. */
  async operate(
    method: 'GET' | 'POST',
    name: string,
    input: Record<string, string> = {},
  ): Promise<Pick<Answer, 'status'> & { body: Json }> {
    const about = method === 'GET' ? { query: input } : { body: input };
    return this.api.http.inject({ method, path: `/admin/${name}`, account: this.api.owner.accountId, ...about });
  }

  /** The messages to a path, once there are so many. */
  async receive(count: number, path = '/hook'): Promise<ReceivedMessage[]> {
    await this.receiver.until(() => this.receiver.eventsAt(path).length >= count);
    return this.receiver.eventsAt(path);
  }

  /** Resolves when what was sent last is also recorded. */
  async readDeliveries(isDone: (deliveries: Json[]) => boolean, query: Record<string, string> = {}): Promise<Json[]> {
    for (;;) {
      const { body } = await this.operate('GET', 'webhook.deliveries', query);
      const deliveries = body.data as Json[];
      if (isDone(deliveries)) return deliveries;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async readKeys(): Promise<{ public_key: string; standard_webhooks_public_key: string }> {
    return (await this.api.call('webhook.publicKey')).body as never;
  }

  /** Whether both signatures of a message verify with the keys that are published now. */
  async verifies(message: ReceivedMessage): Promise<boolean> {
    const keys = await this.readKeys();
    const url = this.receiver.url(message.path);
    return verifyRsa(message, url, keys.public_key) && verifyStandard(message, keys.standard_webhooks_public_key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#webhooks.workers) await worker.stop();
    await Promise.all([this.api.stop(), this.receiver.stop()]);
  }
}
