/** Maximum messages in flight to an unknown receiver, and to a proven one. */
export const usualLimit = 2;
const highestLimit = 128;
/** A slower response counts against the receiver, like a failure. */
const slowMs = 3000;
/** Number of idle lanes kept. */
const maxIdle = 256;

interface Lane {
  held: number;
  limit: number;
}

export interface LaneResult {
  isDelivered: boolean;
  durationMs: number;
}

/**
 * How much of this process each webhook may use. A receiver that responds fast gets gradually more, one that fails or is slow loses half
 * each time: however many messages are queued for it, it occupies only one or two slots.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  #held = 0;

  /** Number of messages in progress. */
  get held(): number {
    return this.#held;
  }

  /** What a claim needs to know of each webhook: messages in flight and the limit. */
  list(): [webhookId: string, held: number, limit: number][] {
    return [...this.#lanes].map(([webhookId, { held, limit }]) => [webhookId, held, limit]);
  }

  /** Whether a webhook has enough free slots to make a claim worthwhile. */
  isHalfEmpty(webhookId: string): boolean {
    const lane = this.#lanes.get(webhookId);
    return !lane || lane.held * 2 <= lane.limit;
  }

  enter(webhookId: string): void {
    const lane = this.#lanes.get(webhookId) ?? { held: 0, limit: usualLimit };
    this.#lanes.set(webhookId, lane);
    lane.held += 1;
    this.#held += 1;
  }

  /** @param result null if the attempt says nothing about the receiver */
  leave(webhookId: string, result: LaneResult | null): void {
    const lane = this.#lanes.get(webhookId);
    if (!lane) return;
    lane.held -= 1;
    this.#held -= 1;
    if (result) {
      const isGood = result.isDelivered && result.durationMs < slowMs;
      lane.limit = isGood ? Math.min(lane.limit + 1, highestLimit) : Math.max(Math.floor(lane.limit / 2), 1);
    }
    if (this.#lanes.size > maxIdle) this.#removeIdle();
  }

  #removeIdle(): void {
    for (const [webhookId, { held }] of this.#lanes) if (held === 0) this.#lanes.delete(webhookId);
  }
}
