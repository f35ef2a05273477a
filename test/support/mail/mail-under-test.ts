import type { Clock } from '@errand/base/clock.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { silentLog } from '@errand/base/log.ts';
import type { RecordLookup } from '@errand/base/net/record-lookup.ts';
import { createMailReader } from '../../../src/mail/reading/mail-reader.ts';
import { createMailIntake } from '../../../src/mail/smtp/mail-intake.ts';
import { createReplyIntake, type DecideByMail } from '../../../src/mail/smtp/reply-intake.ts';
import { type CertificateSource, MailServer, type MailServerSettings } from '../../../src/mail/smtp/mail-server.ts';
import type { Database } from '../../../src/store/db/database.ts';
import type { ApiUnderTest } from '../http/api-under-test.ts';

export const mailDomain = 'in.test';
export const replyKey = Buffer.from('a key of these tests');

interface MailOptions {
  clock: Clock;
  /** DNS lookups; by default every name is unknown. */
  lookup?: RecordLookup;
  settings?: Partial<MailServerSettings>;
  certificate?: CertificateSource;
  /** Database in place of the one of the API. */
  database?: Database;
}

export const knowsNothing: RecordLookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

/** The SMTP listener beside an API under test whose `mailDomain` is the same. */
export async function startMail(api: ApiUnderTest, options: MailOptions) {
  const { clock, lookup = knowsNothing, settings = {}, certificate = null, database = api.database } = options;
  const reader = createMailReader({ clock, lookup });
  const common = { database, reader, domain: mailDomain, log: silentLog };
  const decide: DecideByMail = ({ accountId, body, idempotencyKey }) =>
    api.http.inject({ method: 'POST', path: '/v2/inbox.decide', body, account: accountId, isByMail: true, idempotencyKey });
  const directories = [
    createMailIntake({ ...common, access: api.http.triggers }),
    createReplyIntake({ ...common, decide, key: replyKey }),
  ];
  const server = new MailServer({
    settings: {
      host: '127.0.0.1',
      port: 0,
      domain: mailDomain,
      maxBytes: 1024 ** 2,
      trustedProxies: [],
      drainMs: 2000,
      ...settings,
    },
    ...{ directories, certificate, clock, log: silentLog, memory: new FairGate({ capacity: 64 * 1024 ** 2 }) },
  });
  await server.start();
  return {
    port: server.port,
    async stop() {
      await server.stop();
      await reader.close();
    },
  };
}
