import { Topics } from './topics.ts';

/**
 * Short texts between subscribers of a topic, in this process or in others. They are not stored and may be lost, so senders that need an
 * answer repeat them.
 */
export interface Broadcast {
  publish(topic: string, text: string): void;
  /** The same for a topic of one listener: no other process hears it if that is in this one. False if there certainly is none. */
  notifyOne(topic: string, text: string): boolean;
  /** Calls `listener` for each text of the topic; the returned function ends it. */
  subscribe(topic: string, listener: (text: string) => void): () => void;
}

/** A broadcast inside one process. */
export class LocalBroadcast extends Topics<string> implements Broadcast {
  notifyOne(topic: string, text: string): boolean {
    this.publish(topic, text);
    return this.has(topic);
  }
}
