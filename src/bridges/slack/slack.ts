import { z } from 'zod';
import { type Clock, pause } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { maxFileBytes } from '../platform/incoming-files.ts';
import { readMarkup } from '../text/markup.ts';
import { cutPieces, type Piece } from '../text/message-pieces.ts';
import {
  type Button,
  ChatFault,
  type ChatPlatform,
  type Incoming,
  type Listening,
  type OutgoingFile,
} from '../platform/chat-platform.ts';
import { SlackApi, type SlackApiParts } from './slack-api.ts';
import { envelope, readSlackMessage, readSlackPress } from './slack-events.ts';
import { slackRenderer } from './slack-renderer.ts';
import { readSocket } from './slack-socket.ts';

export interface SlackParts extends SlackApiParts {
  clock: Clock;
  log: Log;
}

const longestBackoffMs = 60_000;
const rememberedIds = 2000;
const missedPages = 20;
const labelLength = 70;
const sectionLength = 3000;

/** Slack returns a message longer than it was sent, with its addresses marked. */
function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, sectionLength) } };
}

function writeBlocks(piece: Piece, buttons: readonly Button[]) {
  const elements = buttons.map(({ label, data }, at) => ({
    type: 'button',
    action_id: `b${at}`,
    text: { type: 'plain_text', text: label.slice(0, labelLength), emoji: false },
    value: data,
  }));
  return [section(piece.styled), ...(elements.length > 0 ? [{ type: 'actions', elements }] : [])];
}

/** Slack by Socket Mode (docs/internals/decisions/0021-slack-socket-mode.md): the service dials out, so it works behind any router. */
export class Slack implements ChatPlatform {
  readonly name = 'slack';
  readonly fileBytes = maxFileBytes;
  readonly #parts: SlackParts;
  readonly #api: SlackApi;
  readonly #seen = new Set<string>();
  #workspace: string | null = null;

  constructor(parts: SlackParts) {
    this.#parts = parts;
    this.#api = new SlackApi(parts);
  }

  async identify(signal: AbortSignal): Promise<{ bot: string; name: string }> {
    const who = z.object({ user_id: z.string(), team_id: z.string(), user: z.string().default('bot') });
    const read = who.safeParse(await this.#api.call('auth.test', {}, signal));
    if (!read.success) throw new ChatFault('away', 'auth.test does not identify the bot');
    this.#workspace = read.data.team_id;
    return { bot: `${read.data.team_id}-${read.data.user_id}`, name: `@${read.data.user}` };
  }

  async listen(listening: Listening): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = listening;
    for (let backoffMs = 1000; !signal.aborted; ) {
      const startedAt = clock.monotonic();
      const retryMs = await this.#receive(listening).catch((error: unknown) => {
        if (signal.aborted) return 0;
        if (!(error instanceof ChatFault) || error.kind === 'denied') throw error;
        log.warn({ platform: this.name, err: error }, 'a platform was not heard');
        return Math.max(backoffMs, error.retryMs);
      });
      backoffMs = clock.monotonic() - startedAt > longestBackoffMs ? 1000 : Math.min(2 * backoffMs, longestBackoffMs);
      await pause(clock, retryMs, signal);
    }
  }

  /** One connection, until Slack asks for a new one: 0 to reconnect at once. */
  async #receive(listening: Listening): Promise<number> {
    const { clock } = this.#parts;
    const { url } = await this.#api.callAsApp('apps.connections.open', listening.signal);
    if (typeof url !== 'string' || !this.#api.isOwn(url)) throw new ChatFault('away', 'the response has no URL to connect to');
    for await (const { text, answer } of readSocket(url, clock, listening.signal)) {
      const read = envelope.safeParse(readObject(text));
      if (!read.success) continue;
      const { type, envelope_id: id, payload } = read.data;
      // First fetch messages sent while disconnected.
      if (type === 'hello') await this.#catchUp(listening);
      if (type === 'disconnect') return 0;
      if (id === undefined) continue;
      const acknowledge = () => answer(JSON.stringify({ envelope_id: id }));
      // A press shows a spinner until acknowledged, and can be repeated.
      if (type === 'interactive') acknowledge();
      const incoming = this.#read(type, payload);
      if (incoming) await this.#takeOnce(incoming, listening);
      if (type !== 'interactive') acknowledge();
    }
    return 0;
  }

  #read(type: string, payload: unknown): Incoming | null {
    if (type === 'interactive') return readSlackPress(payload, this.#workspace);
    if (type !== 'events_api') return null;
    const { event } = z.object({ event: z.unknown() }).catch({ event: null }).parse(payload);
    return readSlackMessage(event, { channel: null, workspace: this.#workspace }, this.#fetchFile);
  }

  readonly #fetchFile = (address: string, contentType: string | null) => this.#api.fetchFile(address, contentType, maxFileBytes);

  async #takeOnce(incoming: Incoming, { take }: Listening): Promise<void> {
    if (this.#seen.has(incoming.id)) return;
    await take(incoming);
    if (this.#seen.size >= rememberedIds) this.#seen.clear();
    this.#seen.add(incoming.id);
  }

  /** What linked people wrote while disconnected, which Slack does not redeliver for long. */
  async #catchUp(listening: Listening): Promise<void> {
    for (const { chat, person, lastReceived } of await listening.listReceived()) {
      if (lastReceived === null) continue;
      const missed = await this.#listMissed(chat, lastReceived, listening.signal).catch((error: unknown) => {
        if (error instanceof ChatFault && (error.kind === 'gone' || error.kind === 'refused')) return [];
        throw error;
      });
      for (const given of missed) {
        const incoming = readSlackMessage(given, { channel: chat, workspace: this.#workspace }, this.#fetchFile);
        if (incoming?.person === person) await this.#takeOnce(incoming, listening);
      }
    }
  }

  /** Oldest first. */
  async #listMissed(channel: string, oldest: string, signal: AbortSignal): Promise<unknown[]> {
    const page = z.object({
      messages: z.array(z.unknown()).default([]),
      response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
    });
    const missed: unknown[] = [];
    for (let cursor = '', pages = 0; pages < missedPages; pages += 1) {
      const input = { channel, oldest, limit: '100', ...(cursor && { cursor }) };
      const read = page.parse(await this.#api.callForm('conversations.history', input, signal));
      missed.push(...read.messages);
      cursor = read.response_metadata?.next_cursor ?? '';
      if (cursor === '') break;
    }
    return missed.toReversed();
  }

  cut(markdown: string): Piece[] {
    return cutPieces(readMarkup(markdown), slackRenderer);
  }

  async send(channel: string, piece: Piece, buttons: readonly Button[], signal: AbortSignal): Promise<string> {
    const blocks = buttons.length > 0 ? { blocks: writeBlocks(piece, buttons) } : {};
    const message = { channel, text: piece.styled, unfurl_links: false, unfurl_media: false, ...blocks };
    const { ts } = await this.#api.call('chat.postMessage', message, signal);
    return typeof ts === 'string' ? ts : '';
  }

  async sendFile(channel: string, { filename, bytes }: OutgoingFile, signal: AbortSignal): Promise<void> {
    const params = { filename, length: String(bytes.length) };
    const given = await this.#api.callForm('files.getUploadURLExternal', params, signal);
    const { upload_url: address, file_id: id } = given;
    if (typeof address !== 'string' || typeof id !== 'string') throw new ChatFault('away', 'the response has no upload URL');
    await this.#api.upload(address, bytes, signal);
    const done = { files: [{ id, title: filename }], channel_id: channel };
    await this.#api.call('files.completeUploadExternal', done, signal);
  }

  async decorate(
    channel: string,
    { ref: ts, piece }: { ref: string; piece: Piece },
    below: { buttons: readonly Button[] } | { outcome: string },
    signal: AbortSignal,
  ): Promise<void> {
    const blocks =
      'buttons' in below
        ? writeBlocks(piece, below.buttons)
        : [section(piece.styled), { type: 'context', elements: [{ type: 'plain_text', text: below.outcome, emoji: false }] }];
    await this.#api.call('chat.update', { channel, ts, text: piece.styled, blocks }, signal);
  }

  /** The message itself shows the outcome. */
  async answerPress(): Promise<void> {
    // Slack has no response to a press besides its acknowledgment.
  }

  readonly showWork = null;

  readonly acknowledge = async ({ chat: channel, place: timestamp }: Incoming): Promise<void> => {
    if (timestamp !== null) await this.#api.call('reactions.add', { channel, timestamp, name: 'eyes' });
  };
}

function readObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
