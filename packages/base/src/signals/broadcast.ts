import { Topics } from './topics.ts';

/**
 * Short texts between those who know a topic, in this process or in others. They are stored nowhere, and may be lost: whoever needs an answer
 * says it again.
 */
export interface Broadcast {
  publish(topic: string, text: string): void;
  /** Calls `listener` for each text of the topic; the returned function ends it. */
  subscribe(topic: string, listener: (text: string) => void): () => void;
}

/** Inside one process. */
export class LocalBroadcast extends Topics<string> implements Broadcast {}
