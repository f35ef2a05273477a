import { z } from 'zod';
import { type Clock, pause } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { readMarkup } from '../text/markup.ts';
import { composeForm } from './multipart-body.ts';
import { cutPieces, type Piece } from '../text/message-pieces.ts';
import { type Button, ChatFault, type ChatPlatform, type Listening, type OutgoingFile } from '../platform/chat-platform.ts';
import { TelegramApi } from './telegram-api.ts';
import { countAlbumParts, gatherNews, hasOpenAlbum, type TelegramUpdate } from './telegram-albums.ts';
import { telegramRenderer } from './telegram-renderer.ts';
import { readUpdate } from './telegram-updates.ts';
import type { PlatformHttpClient } from '../platform/platform-call.ts';
import { maxFileBytes } from '../platform/incoming-files.ts';

export interface TelegramParts extends PlatformHttpClient {
  clock: Clock;
  log: Log;
  baseUrl: string;
  token: string;
}

const pollS = 50;
const pollMs = (pollS + 15) * 1000;
const updatesAtOnce = 20;
/** Telegram's page size. */
const mostUpdates = 100;
/** An album arrives as several updates: it is complete after this long without another one, with an upper limit on the total wait. */
const albumQuietMs = 700;
const mostAlbumWaits = 4;
const longestBackoffMs = 60_000;
/** Telegram keeps updates for a day; older ids say nothing about the next (they may restart after a week). */
const positionMs = 24 * 60 * 60_000;
const photoBytes = 10 * 1024 * 1024;
const labelLength = 60;

function writeButtons(buttons: readonly Button[]) {
  const rows = buttons.map(({ label, data }) => [{ text: label.slice(0, labelLength), callback_data: data }]);
  return { inline_keyboard: rows };
}

/** How to send a file so that it is displayed by type: method and field, or null for a plain document. */
function chooseMethod({ kind, contentType, bytes }: OutgoingFile): [method: string, field: string] | null {
  const isPicture = /^image\/(png|jpeg|webp)$/.test(contentType);
  if (isPicture && bytes.length <= photoBytes) return ['sendPhoto', 'photo'];
  if (kind === 'voice' && contentType === 'audio/ogg') return ['sendVoice', 'voice'];
  return /^audio\/(mpeg|mp4|x-m4a)$/.test(contentType) ? ['sendAudio', 'audio'] : null;
}

/** Telegram by long polling, so the service needs no public URL. */
export class Telegram implements ChatPlatform {
  readonly name = 'telegram';
  readonly fileBytes = maxFileBytes;
  readonly #parts: TelegramParts;
  readonly #api: TelegramApi;

  constructor(parts: TelegramParts) {
    this.#parts = parts;
    this.#api = new TelegramApi(parts);
  }

  async identify(signal: AbortSignal): Promise<{ bot: string; name: string }> {
    const me = z.object({ id: z.int(), username: z.string() }).safeParse(await this.#api.call('getMe', {}, signal));
    if (!me.success) throw new ChatFault('away', 'getMe does not identify the bot');
    return { bot: String(me.data.id), name: `@${me.data.username}` };
  }

  async listen({ position, take, savePosition, signal }: Listening): Promise<void> {
    const { clock, log } = this.#parts;
    let last = position && clock.now() - position.atMs < positionMs ? position : null;
    for (let backoffMs = 1000; !signal.aborted; ) {
      const isFresh = last !== null && clock.now() - last.atMs < positionMs;
      try {
        for (const { incoming, confirmed } of gatherNews(await this.#receive(isFresh && last ? last.value + 1 : null, signal))) {
          if (incoming) await take(incoming);
          if (confirmed === null) continue;
          await savePosition(confirmed);
          last = { value: confirmed, atMs: clock.now() };
        }
        backoffMs = 1000;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ChatFault) || error.kind === 'denied') throw error;
        log.warn({ platform: this.name, err: error }, 'a platform was not heard');
        await pause(clock, Math.max(backoffMs, error.retryMs), signal);
        backoffMs = Math.min(2 * backoffMs, longestBackoffMs);
      }
    }
  }

  /** The next updates, with complete albums. While an album arrives nothing is confirmed, so that Telegram resends it after a crash. */
  async #receive(offset: number | null, signal: AbortSignal): Promise<TelegramUpdate[]> {
    let polled = await this.#poll({ offset, timeout: pollS, limit: updatesAtOnce }, signal);
    for (let waits = 0; waits < mostAlbumWaits && hasOpenAlbum(polled); waits += 1) {
      await pause(this.#parts.clock, albumQuietMs, signal);
      const before = countAlbumParts(polled);
      polled = await this.#poll({ offset, timeout: 0, limit: mostUpdates }, signal);
      if (countAlbumParts(polled) === before) break;
    }
    return polled;
  }

  async #poll(
    { offset, ...rest }: { offset: number | null; timeout: number; limit: number },
    signal: AbortSignal,
  ): Promise<TelegramUpdate[]> {
    const params = { ...(offset !== null && { offset }), ...rest, allowed_updates: ['message', 'callback_query'] };
    const updates = await this.#api.call('getUpdates', params, signal, pollMs);
    const fetchFile = (id: string) => this.#api.fetchFile(id, maxFileBytes);
    const given = z.array(z.unknown()).catch([]).parse(updates);
    return given.flatMap((each) => readUpdate(each, fetchFile, maxFileBytes) ?? []);
  }

  cut(markdown: string): Piece[] {
    return cutPieces(readMarkup(markdown), telegramRenderer);
  }

  async send(chat: string, piece: Piece, buttons: readonly Button[], signal: AbortSignal): Promise<string> {
    const common = {
      chat_id: chat,
      link_preview_options: { is_disabled: true },
      ...(buttons.length > 0 && { reply_markup: writeButtons(buttons) }),
    };
    const styled = { ...common, text: piece.styled, parse_mode: 'HTML' };
    const sent = await this.#api.call('sendMessage', styled, signal).catch((error: unknown) => {
      if (!(error instanceof ChatFault) || error.kind !== 'refused' || !/entit/i.test(error.message)) throw error;
      return this.#api.call('sendMessage', { ...common, text: piece.plain.slice(0, telegramRenderer.limit) }, signal);
    });
    const { message_id: id } = z.object({ message_id: z.int() }).catch({ message_id: 0 }).parse(sent);
    return String(id);
  }

  async sendFile(chat: string, file: OutgoingFile, signal: AbortSignal): Promise<void> {
    const send = async ([method, field]: readonly [string, string]) => {
      await this.#api.send(method, composeForm({ chat_id: chat }, { field, ...file }), signal);
    };
    const asDocument = ['sendDocument', 'document'] as const;
    const method = chooseMethod(file);
    if (method === null) return send(asDocument);
    await send(method).catch((error: unknown) => {
      // Unusual dimensions or codecs: send it as a plain file.
      if (error instanceof ChatFault && error.kind === 'refused') return send(asDocument);
      throw error;
    });
  }

  async decorate(
    chat: string,
    { ref }: { ref: string },
    below: { buttons: readonly Button[] } | { outcome: string },
    signal: AbortSignal,
  ): Promise<void> {
    const buttons = 'buttons' in below ? below.buttons : [{ label: below.outcome, data: '-' }];
    const params = { chat_id: chat, message_id: Number(ref), reply_markup: writeButtons(buttons) };
    await this.#api.call('editMessageReplyMarkup', params, signal).catch((error: unknown) => {
      if (!(error instanceof ChatFault) || !/not modified/i.test(error.message)) throw error;
    });
  }

  async answerPress(callId: string, text: string): Promise<void> {
    await this.#api.call('answerCallbackQuery', { callback_query_id: callId, ...(text && { text: text.slice(0, 200) }) });
  }

  readonly showWork = async (chat: string, signal: AbortSignal): Promise<void> => {
    await this.#api.call('sendChatAction', { chat_id: chat, action: 'typing' }, signal);
  };

  readonly acknowledge = null;
}
