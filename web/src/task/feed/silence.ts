import type { FeedPorts } from './feed-ports.ts';

/** The service sends a heartbeat every 25 seconds; a connection that is silent for longer is dead. */
export const heartbeatTimeoutMs = 40_000;

/** Detects silence: the time of the last activity, and a callback. */
export class Silence {
  readonly #ports: Pick<FeedPorts, 'now' | 'setTimer'>;
  #receivedAtMs = 0;

  constructor(ports: Pick<FeedPorts, 'now' | 'setTimer'>) {
    this.#ports = ports;
  }

  receive(): void {
    this.#receivedAtMs = this.#ports.now();
  }

  lastsMs(): number {
    return this.#ports.now() - this.#receivedAtMs;
  }

  /** Starts watching: calls back after too long a silence. The returned function stops it. */
  watch(onSilence: () => void): () => void {
    this.receive();
    const look = () => {
      const leftMs = heartbeatTimeoutMs - this.lastsMs();
      if (leftMs <= 0) onSilence();
      else cancel = this.#ports.setTimer(look, leftMs);
    };
    let cancel = this.#ports.setTimer(look, heartbeatTimeoutMs);
    return () => cancel();
  }
}
