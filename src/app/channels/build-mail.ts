import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { createRecordLookup } from '@errand/base/net/record-lookup.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { MailSettings } from '../../config/mail-settings.ts';
import type { HttpService } from '../../http/service/http-service.ts';
import { listenFault } from '../../http/server/listen-addresses.ts';
import type { CertificateSource } from '../../mail/smtp/mail-server.ts';
import type { DecideByMail } from '../../mail/smtp/reply-intake.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';

/** How often the files are looked at. */
const refreshMs = 60_000;

/** Opens a certificate, which is read again when its files change. */
export function openCertificate({ cert, key }: { cert: string; key: string }, clock: Clock, log: Log): CertificateSource {
  let known = '';
  let lookAtMs = 0;
  const stamp = async () => (await Promise.all([cert, key].map((path) => stat(path)))).map(({ mtimeMs }) => mtimeMs).join();
  const read = async () => {
    known = await stamp();
    const [chain, secret] = await Promise.all([readFile(cert), readFile(key)]);
    return { cert: chain, key: secret };
  };
  return {
    load: () =>
      read().catch((error: unknown) => {
        throw new StartFault(`ERRAND_SMTP_TLS_CERT, ERRAND_SMTP_TLS_KEY: cannot be read: ${String(error)}`, error);
      }),
    async refresh() {
      if (clock.monotonic() < lookAtMs) return null;
      lookAtMs = clock.monotonic() + refreshMs;
      try {
        return (await stamp()) === known ? null : await read();
      } catch (error) {
        log.warn({ err: error }, 'the certificate for mail cannot be read again; the one before stays');
        return null;
      }
    },
  };
}

/** Builds the receiving of mail, whose code is loaded only if it is enabled. */
export async function buildMail(runtime: Runtime, stores: Stores, http: HttpService): Promise<Service[]> {
  const { database, contentKey: key } = stores;
  const { config, clock, log, memory } = runtime;
  const { mail } = config;
  if (mail === null) return [];
  const [{ createMailReader }, { createMailIntake }, { createReplyIntake }, { MailServer }] = await Promise.all([
    import('../../mail/reading/mail-reader.ts'),
    import('../../mail/smtp/mail-intake.ts'),
    import('../../mail/smtp/reply-intake.ts'),
    import('../../mail/smtp/mail-server.ts'),
  ]);
  const reader = createMailReader({ clock, lookup: createRecordLookup() });
  const common = { database, reader, domain: mail.domain, log };
  const triggers = createMailIntake({ ...common, access: http.triggers });
  const decide: DecideByMail = ({ accountId, body, idempotencyKey }) =>
    http.inject({ method: 'POST', path: '/v2/inbox.decide', body, account: accountId, isByMail: true, idempotencyKey });
  const replies = key && createReplyIntake({ ...common, decide, key });
  const directories = replies ? [triggers, replies] : [triggers];
  const settings = { ...mail, isShared: config.sharesPorts, trustedProxies: config.trustedProxies, drainMs: config.drainMs };
  const certificate = mail.tls && openCertificate(mail.tls, clock, log);
  const server = new MailServer({ settings, directories, certificate, clock, log, memory });
  const stop = async () => {
    await server.stop();
    await reader.close();
  };
  return [{ name: server.name, start: () => startServer(server, mail), stop }];
}

async function startServer(server: Service, { host, port }: MailSettings): Promise<void> {
  try {
    await server.start();
  } catch (error) {
    throw error instanceof StartFault ? error : listenFault(error, host, port, 'ERRAND_SMTP_PORT');
  }
}
