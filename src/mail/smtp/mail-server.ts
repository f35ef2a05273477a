import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerEnvelope, type SMTPServerSession } from 'smtp-server';
import type { Clock } from '@errand/base/clock.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import { createProxyCheck } from '@errand/base/net/client-address.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { collectMail } from './collect-mail.ts';
import { reserveMailMemory } from './mail-memory.ts';
import { findRecipient, type MailDirectory, type MailRecipient } from './mail-recipient.ts';
import { nobodyThere, refusalOf, SmtpRefusal } from './smtp-refusal.ts';
import { type Visit, Visits } from './visits.ts';

/** What STARTTLS proves itself with, as PEM. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** The certificate of the files that the operator has named. */
export interface CertificateSource {
  load(): Promise<Certificate>;
  /** The certificate if the files have changed since; null if not, or if they cannot be read. */
  refresh(): Promise<Certificate | null>;
}

export interface MailServerSettings {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Whether other processes of the same service listen on it, too. */
  isShared?: boolean;
  domain: string;
  maxBytes: number;
  /** CIDR blocks of relays of the operator, which say by XFORWARD whom they got a mail from. */
  trustedProxies: readonly string[];
  drainMs: number;
}

export interface MailServerParts {
  settings: MailServerSettings;
  /** Each knows other addresses. */
  directories: readonly MailDirectory[];
  /** Null without STARTTLS. */
  certificate: CertificateSource | null;
  clock: Clock;
  log: Log;
  memory: FairGate;
}

/** Limits of connections (docs/reference/choices.md#triggers). */
const limits = { connections: 100, each: 20, idleMs: 60_000, mostMs: 600_000, unknown: 5 };

/** Commands that no sending server needs, among them those that would log somebody in. */
const refusedCommands = ['AUTH', 'VRFY', 'HELP', 'WIZ', 'SHELL', 'XCLIENT', 'LANG', 'AHH'];

/** What a mail may exceed its announced length by: an eighth and this much, since senders only estimate it. */
const slackBytes = 64 * 1024;

/** How long a mail may be whose sender has said this. */
function limitOf(mailFrom: SMTPServerEnvelope['mailFrom'], maxBytes: number): number {
  const announced = Number((mailFrom && mailFrom.args && mailFrom.args.SIZE) || 0);
  return announced === 0 ? maxBytes : Math.min(Math.ceil(announced * 1.125) + slackBytes, maxBytes);
}

/** Calls a handler of the library back with the outcome of a promise. */
async function settle(promise: Promise<unknown>, callback: (error?: Error | null) => void): Promise<void> {
  const refusal = await promise.then(() => null, refusalOf);
  callback(refusal);
}

/** Receives mail for triggers, and replies to notifications, by SMTP. It takes mail only for their addresses, and says so only when it is stored. */
export class MailServer implements Service {
  readonly name = 'mail';
  readonly #parts: MailServerParts;
  readonly #visits: Visits;
  readonly #isTrusted: (address: string) => boolean;
  #server: SMTPServer | null = null;
  /** Mails that are being received. */
  readonly #receiving = new Set<string>();
  #isStopping = false;

  constructor(parts: MailServerParts) {
    const { settings, clock } = parts;
    this.#parts = parts;
    this.#visits = new Visits(clock, { each: limits.each, mostMs: limits.mostMs });
    this.#isTrusted = createProxyCheck(settings.trustedProxies);
  }

  /** The actual port; after `start`. */
  get port(): number {
    const address = this.#server?.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async start(): Promise<void> {
    if (this.#server) return;
    const { settings, certificate, log } = this.#parts;
    const server = this.#build(certificate && (await certificate.load()));
    // Errors of single connections arrive here too, for example when one breaks off.
    server.on('error', (error) => log.debug({ err: error }, 'the SMTP listener or a connection to it failed'));
    const { port, host, isShared = false } = settings;
    server.listen({ port, host, reusePort: isShared });
    await once(server.server, 'listening');
    this.#isStopping = false;
    this.#server = server;
    log.info(
      { host: settings.host, port: this.port, domain: settings.domain, starttls: certificate !== null },
      'mail is received',
    );
  }

  /** Mails that are being received are stored, as far as the time allows; idle connections end at once. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => {
      server.close(resolve);
    });
    for (const connection of server.connections) if (!this.#receiving.has(connection.id)) this.#dismiss(server, connection.id);
    await closed;
    this.#server = null;
  }

  #build(certificate: Certificate | null): SMTPServer {
    const { settings } = this.#parts;
    return new SMTPServer({
      ...{ name: settings.domain, size: settings.maxBytes, rejectOversized: true, disableReverseLookup: true, logger: false },
      disabledCommands: certificate ? refusedCommands : [...refusedCommands, 'STARTTLS'],
      ...certificate,
      ...{
        maxClients: limits.connections,
        socketTimeout: limits.idleMs,
        // One answer can tell what became of one delivery only; senders split a mail to several.
        maxRecipients: 1,
        maxCommandLength: 4096,
      },
      ...{ closeTimeout: settings.drainMs, useXForward: settings.trustedProxies.length > 0, useXClient: false },
      onConnect: (session, callback) => void settle(this.#welcome(session), callback),
      onMailFrom: (_, session, callback) => void settle(this.#begin(session), callback),
      onRcptTo: ({ address }, session, callback) => void settle(this.#admit(address, session), callback),
      onData: (stream, session, callback) => void settle(this.#receive(stream, session), callback),
      onClose: ({ id }) => this.#visits.end(id),
    });
  }

  async #welcome(session: SMTPServerSession): Promise<void> {
    const { certificate } = this.#parts;
    const server = this.#server;
    const { id, remoteAddress } = session;
    const visit = server && this.#visits.begin(id, remoteAddress, () => this.#dismiss(server, id));
    if (!visit) throw new SmtpRefusal(421, 'Too many connections; try again later');
    if (!this.#isTrusted(remoteAddress)) {
      session.disabledCommands = [...server.options.disabledCommands, 'XFORWARD'];
    }
    const renewed = await certificate?.refresh();
    if (renewed) server.updateSecureContext(renewed);
  }

  /** What XFORWARD says is true of one mail: the library would keep it for the next ones. */
  async #begin(session: SMTPServerSession): Promise<void> {
    const visit = this.#visitOf(session.id);
    visit.origin = this.#originOf(session, visit);
    session.xForward.delete('ADDR');
  }

  async #admit(address: string, { id }: SMTPServerSession): Promise<void> {
    const visit = this.#visitOf(id);
    try {
      visit.admitted.set(address.toLowerCase(), await findRecipient(address, this.#parts));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.responseCode === 550 && ++visit.unknown > limits.unknown)
        throw new SmtpRefusal(421, 'Too many unknown addresses');
      throw refusal;
    }
  }

  async #receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const { id } = session;
    this.#receiving.add(id);
    try {
      await this.#take(stream, session, this.#visitOf(id));
    } finally {
      this.#receiving.delete(id);
      const server = this.#server;
      // After the answer to this mail.
      if (this.#isStopping && server) setImmediate(() => this.#dismiss(server, id));
    }
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession, visit: Visit): Promise<void> {
    const { settings } = this.#parts;
    const { rcptTo, mailFrom } = session.envelope;
    const recipient = visit.admitted.get(rcptTo[0]?.address.toLowerCase() ?? '');
    if (!recipient) throw nobodyThere();
    const { owner } = recipient;
    const bytes = limitOf(mailFrom, settings.maxBytes);
    const { signal } = visit.leaving;
    const release = await reserveMailMemory(this.#parts, { owner, bytes, leaving: signal });
    try {
      const mail = await collectMail(stream, this.#parts.clock, { mostBytes: bytes, overflow: release });
      if (mail === null) return await this.#refuseLong(recipient, stream, signal);
      const envelopeFrom = mailFrom ? mailFrom.address.toLowerCase() : '';
      await recipient.receive({ bytes: mail, envelopeFrom, ...visit.origin }, signal);
    } finally {
      release();
    }
  }

  /** The library itself refuses what is longer than any mail may be. */
  async #refuseLong(recipient: MailRecipient, { sizeExceeded }: SMTPServerDataStream, signal: AbortSignal) {
    const { settings } = this.#parts;
    const limit = sizeExceeded ? `${settings.maxBytes / 1024 ** 2} MB` : 'its sender announced';
    const problem = `The mail is longer than ${limit}.`;
    await recipient.refuse(problem, signal);
    throw new SmtpRefusal(552, problem);
  }

  /** The server that sent a mail. A relay of the operator passes mail on and may have named the server it came from. */
  #originOf({ remoteAddress, hostNameAppearsAs, xForward }: SMTPServerSession, { peer }: Visit) {
    // False if the relay itself does not know.
    const isNamed = Boolean(xForward.get('ADDR'));
    const clientAddress = this.#isTrusted(peer) && !isNamed ? null : remoteAddress;
    return { clientAddress, clientName: hostNameAppearsAs || '' };
  }

  #visitOf(id: string): Visit {
    const visit = this.#visits.find(id);
    if (!visit) throw new SmtpRefusal(421, 'The connection has ended');
    return visit;
  }

  #dismiss(server: SMTPServer, id: string): void {
    for (const connection of server.connections)
      if (connection.id === id) connection.send(421, 'The service ends this connection');
  }
}
