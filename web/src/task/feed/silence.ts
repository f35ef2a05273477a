import type { FeedPorts } from './feed-ports.ts';

/** The service sends a heartbeat every 15 seconds; a connection that is silent for longer is dead. */
export const silenceMs = 40_000;

/** When anything was heard last, and what to do about silence. */
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

  /** Begins to listen: calls back once nothing was heard for too long. The returned function ends it. */
  watch(onSilence: () => void): () => void {
    this.receive();
    const look = () => {
      const leftMs = silenceMs - this.lastsMs();
      if (leftMs <= 0) onSilence();
      else cancel = this.#ports.setTimer(look, leftMs);
    };
    let cancel = this.#ports.setTimer(look, silenceMs);
    return () => cancel();
  }
}
