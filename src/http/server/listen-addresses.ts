import type { FastifyInstance } from 'fastify';
import { pause, systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';

/** The address of a server. */
export interface Address {
  address: string;
  port: number;
}

const everywhere = new Set(['0.0.0.0', '::']);
const loopback = new Set(['127.0.0.1', '::1']);

function origin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The URL of the service for programs on this machine. */
export function listenUrl({ address, port }: Address): string {
  return origin(everywhere.has(address) ? 'localhost' : address, port);
}

/** The URL for people, unless the configuration sets one (docs/reference/choices.md#urls). */
export function defaultPublicUrl({ address, port }: Address): string {
  return origin(everywhere.has(address) || loopback.has(address) ? 'localhost' : address, port);
}

/** The setting that determined a port. */
export type PortSetting = 'ERRAND_PORT' | 'ERRAND_CONTENT_PORT' | 'ERRAND_MONITORING_PORT' | 'ERRAND_SMTP_PORT';

/** The setting that determined the address of a port. */
function hostSetting(setting: PortSetting): string {
  return setting === 'ERRAND_SMTP_PORT' ? 'ERRAND_SMTP_HOST' : 'ERRAND_HOST';
}

const reasons: Record<string, (host: string, port: number, setting: PortSetting) => string> = {
  EADDRINUSE: (_, port, setting) => `${setting}: ${port} is in use by another program; choose another port`,
  EACCES: (_, port, setting) => `${setting}: this user may not listen on ${port}; choose a port from 1024 on`,
  EADDRNOTAVAIL: (host, _, setting) => `${hostSetting(setting)}: ${host} is not an address of this machine`,
  ENOTFOUND: (host, _, setting) => `${hostSetting(setting)}: ${host} cannot be resolved`,
};

/** Why the service cannot listen, in terms of the setting to change. */
export function listenFault(error: unknown, host: string, port: number, setting: PortSetting): StartFault {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  const unknown = `${hostSetting(setting)}: cannot listen on ${host}:${port}: ${message}`;
  return new StartFault(reason?.(host, port, setting) ?? unknown, error);
}

/** A process that has just ended, or that is starting a program, can hold its port for a moment longer. */
const patienceMs = 2_000;
const pauseMs = 100;

async function listenPatiently(app: FastifyInstance, address: { host: string; port: number; reusePort: boolean }): Promise<void> {
  const endMs = systemClock.monotonic() + patienceMs;
  for (;;) {
    try {
      await app.listen(address);
      return;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || systemClock.monotonic() > endMs) throw error;
    }
    await pause(systemClock, pauseMs);
  }
}

/** The port of one server. */
export interface Port {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Public URL; null if derived from that. */
  publicUrl: string | null;
  setting: PortSetting;
  /** Whether other processes of the same service listen on it, too. */
  isShared: boolean;
}

/** The configured and actual address of a server, and its public URL. */
export class Listener {
  readonly #wanted: Port;
  #address: Address;

  constructor(wanted: Port) {
    this.#wanted = wanted;
    this.#address = { address: wanted.host, port: wanted.port };
  }

  async listen(app: FastifyInstance): Promise<void> {
    const { host, port, setting, isShared } = this.#wanted;
    await listenPatiently(app, { host, port, reusePort: isShared }).catch((error: unknown) => {
      throw listenFault(error, host, port, setting);
    });
    const [bound] = app.addresses();
    if (typeof bound === 'object') this.#address = bound;
  }

  /** The server's URL on this machine. */
  get url(): string {
    return listenUrl(this.#address);
  }

  /** The server's public URL, without a trailing slash. */
  get publicUrl(): string {
    return this.#wanted.publicUrl ?? defaultPublicUrl(this.#address);
  }
}
