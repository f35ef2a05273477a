/** The state of Telegram's Bot API: updates until they are confirmed, and messages. */

export interface SentMessage {
  message_id: number;
  chat: string;
  method: string;
  text: string;
  parseMode: string | null;
  buttons: { text: string; callback_data: string }[];
  file: { filename: string; contentType: string; bytes: number; sha256: string } | null;
}

export interface Failure {
  method: string;
  status: number;
  body: Record<string, unknown>;
  /** The request still takes effect; only its response is lost. */
  isDone?: boolean;
  times: number;
}

const tags = new Set(['b', 'i', 's', 'u', 'code', 'pre', 'a', 'blockquote']);

/** The text of an HTML message, or Telegram's error for an invalid one. */
export function readHtml(html: string): { text: string } | { problem: string } {
  const open: string[] = [];
  let text = '';
  for (const [token] of html.matchAll(/<\/?[^>]*>?|&[^;\s]*;?|[^<&]+/g)) {
    const tag = /^<(\/?)([a-z]+)(?: href="[^"<>]*")?>$/.exec(token);
    if (tag) {
      const [, slash, name = ''] = tag;
      if (!tags.has(name)) return { problem: `unsupported start tag "${name}"` };
      if (slash === '') open.push(name);
      else if (open.pop() !== name) return { problem: `unmatched end tag "${name}"` };
    } else if (token.startsWith('<')) return { problem: 'unclosed start tag' };
    else if (token.startsWith('&')) {
      const meaning = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }[token];
      text += meaning ?? token;
    } else text += token;
  }
  return open.length > 0 ? { problem: `can't find end tag corresponding to start tag "${open.at(-1)}"` } : { text };
}

export class BotChats {
  readonly messages: SentMessage[] = [];
  readonly answers: { id: string; text: string }[] = [];
  readonly actions: string[] = [];
  readonly files = new Map<string, Buffer>();
  failures: Failure[] = [];
  /** Methods in the order of their calls. */
  calls: string[] = [];
  #updates: Record<string, unknown>[] = [];
  #lastUpdateId = 700_000_000;
  #lastMessageId = 0;
  #waiting: (() => void) | null = null;

  add(update: Record<string, unknown>): number {
    this.#lastUpdateId += 1;
    this.#updates.push({ update_id: this.#lastUpdateId, ...update });
    this.#waiting?.();
    return this.#lastUpdateId;
  }

  nextMessageId(): number {
    this.#lastMessageId += 1;
    return this.#lastMessageId;
  }

  get openUpdates(): number {
    return this.#updates.length;
  }

  /** Unconfirmed updates; an offset confirms everything before it. Waits for an update like the real API. */
  async poll(offset: number, limit: number, timeoutS: number, isGone: Promise<void>): Promise<Record<string, unknown>[] | null> {
    if (this.#waiting) return null;
    this.#updates = this.#updates.filter(({ update_id: id }) => Number(id) >= offset);
    if (this.#updates.length === 0 && timeoutS > 0) {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        isGone,
        new Promise<void>((resolve) => {
          this.#waiting = resolve;
          timer = setTimeout(resolve, timeoutS * 1000);
        }),
      ]);
      clearTimeout(timer);
      this.#waiting = null;
    }
    return this.#updates.slice(0, limit);
  }
}
