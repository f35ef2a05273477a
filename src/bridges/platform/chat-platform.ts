import type { BridgePosition, PlatformName } from '../../store/bridges/bridges.ts';
import type { Piece } from '../text/message-pieces.ts';

/** A file that a person sent, fetched only if the sender is authorized. */
export interface ChatFile {
  filename: string;
  contentType: string | null;
  isVoice: boolean;
  /** Size reported by the platform; null if it reports none. */
  bytes: number | null;
  /** Rejects with a `ChatFault`. */
  fetch(): Promise<Buffer>;
}

/** What a person did in a chat. */
export interface Incoming {
  /** Id of the update; a repeated update has the same one. */
  id: string;
  chat: string;
  person: string;
  /** Display name of the chat. */
  title: string;
  /** The person's language, if known. */
  language: string | null;
  said: /** `about`: the text of the bot's message that it replies to, on platforms that say it. */
    | { kind: 'message'; text: string; files: readonly ChatFile[]; about?: string }
    /** A button below this message, whose `text` is as the platform styles it; `callId` is needed to acknowledge the press. */
    | { kind: 'press'; data: string; callId: string; below?: { ref: string; text: string } };
  /** Position of the update in this chat, on platforms where missed messages can be fetched. */
  place: string | null;
}

export interface Button {
  label: string;
  data: string;
}

export interface OutgoingFile {
  kind: 'image' | 'file' | 'voice' | 'slides';
  filename: string;
  contentType: string;
  bytes: Buffer;
}

/** Options of `listen`. */
export interface Listening {
  /** Position up to which updates were read; null to start at the beginning. */
  position: BridgePosition | null;
  /** Called for one update after another; resolves when it is stored. */
  take(incoming: Incoming): Promise<void>;
  savePosition(position: number): Promise<void>;
  /** The linked chats, and the last message of each. */
  listReceived(): Promise<readonly { chat: string; person: string; lastReceived: string | null }[]>;
  signal: AbortSignal;
}

/** A chat platform with one bot. All requests reject with a `ChatFault`, or with the reason of a signal. */
export interface ChatPlatform {
  readonly name: PlatformName;
  /** The largest file that can be sent; larger ones are sent as URLs. */
  readonly fileBytes: number;
  /** The bot that the token belongs to. */
  identify(signal: AbortSignal): Promise<{ bot: string; name: string }>;
  /** Receives updates until the signal aborts; rejects when it cannot continue. */
  listen(listening: Listening): Promise<void>;
  cut(markdown: string): Piece[];
  /** Sends a message and returns its id. */
  send(chat: string, piece: Piece, buttons: readonly Button[], signal: AbortSignal): Promise<string>;
  sendFile(chat: string, file: OutgoingFile, signal: AbortSignal): Promise<void>;
  /** Replaces the buttons of a message; `outcome` is shown in their place. */
  decorate(
    chat: string,
    message: { ref: string; piece: Piece },
    below: { buttons: readonly Button[] } | { outcome: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Shows the outcome to the person who pressed a button. */
  answerPress(callId: string, text: string, incoming: Incoming): Promise<void>;
  /** Shows a typing indicator for some seconds; null if the platform has none. */
  showWork: ((chat: string, signal: AbortSignal) => Promise<void>) | null;
  /** Shows that a message was received. */
  acknowledge: ((incoming: Incoming) => Promise<void>) | null;
}

/**
 * - `wait`: rate limited; `retryMs` says how long.
 * - `away`: no response, or a meaningless one: a retry may work later.
 * - `gone`: the chat is unreachable until its person writes again.
 * - `refused`: this request will never be accepted.
 * - `denied`: the token is invalid.
 */
export type ChatFaultKind = 'wait' | 'away' | 'gone' | 'refused' | 'denied';

/** Why a platform request failed. Its text never contains a token. */
export class ChatFault extends Error {
  readonly kind: ChatFaultKind;
  readonly retryMs: number;

  constructor(kind: ChatFaultKind, problem: string, retryMs = 0) {
    super(problem.slice(0, 300));
    this.name = 'ChatFault';
    this.kind = kind;
    this.retryMs = retryMs;
  }
}
