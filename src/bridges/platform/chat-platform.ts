import type { BridgePosition, PlatformName } from '../../store/bridges/bridges.ts';
import type { Piece } from '../text/message-pieces.ts';

/** A file that a person sent, fetched only if the sender is authorized. */
export interface ChatFile {
  filename: string;
  contentType: string | null;
  isVoice: boolean;
  /** As the platform reports it; null if it does not. */
  bytes: number | null;
  /** Rejects with a `ChatFault`. */
  fetch(): Promise<Buffer>;
}

/** What a person did in a chat. */
export interface Incoming {
  /** The same whenever the platform repeats the update. */
  id: string;
  chat: string;
  person: string;
  /** What people call the chat. */
  title: string;
  /** The person's language, as far as it is known. */
  language: string | null;
  said:
    | { kind: 'message'; text: string; files: readonly ChatFile[] }
    /** A button below the message `ref`; `callId` is what its press is answered by. */
    | { kind: 'press'; data: string; callId: string };
  /** Its place among what was said in this chat, where the platform can be asked for what was missed. */
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

/** What `listen` is given. */
export interface Listening {
  /** How far the news were read; null from the beginning. */
  position: BridgePosition | null;
  /** Takes one after another; resolved means stored. */
  take(incoming: Incoming): Promise<void>;
  savePosition(position: number): Promise<void>;
  /** The chats that are linked, and what each sent last. */
  listReceived(): Promise<readonly { chat: string; person: string; lastReceived: string | null }[]>;
  signal: AbortSignal;
}

/** A chat platform with one bot. All requests reject with a `ChatFault`, or with the reason of a signal. */
export interface ChatPlatform {
  readonly name: PlatformName;
  /** The largest file that is sent; of a larger one its address is. */
  readonly fileBytes: number;
  /** Whose token it is. */
  identify(signal: AbortSignal): Promise<{ bot: string; name: string }>;
  /** Receives what people do until the signal is aborted; rejects when it cannot go on. */
  listen(listening: Listening): Promise<void>;
  cut(markdown: string): Piece[];
  /** Sends a message and answers how it is called. */
  send(chat: string, piece: Piece, buttons: readonly Button[], signal: AbortSignal): Promise<string>;
  sendFile(chat: string, file: OutgoingFile, signal: AbortSignal): Promise<void>;
  /** Replaces the buttons of a message; `outcome` is shown instead of any. */
  decorate(
    chat: string,
    message: { ref: string; piece: Piece },
    below: { buttons: readonly Button[] } | { outcome: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Tells a person who pressed a button what came of it. */
  answerPress(callId: string, text: string, incoming: Incoming): Promise<void>;
  /** Shows that something is being done, for some seconds; null where there is no such sign. */
  showWork: ((chat: string, signal: AbortSignal) => Promise<void>) | null;
  /** Shows that a message was received. */
  acknowledge: ((incoming: Incoming) => Promise<void>) | null;
}

/**
 * - `wait`: too much at once; `retryMs` says how long.
 * - `away`: no answer, or one that says nothing: the same may work later.
 * - `gone`: the chat cannot be reached any more, until its person speaks again.
 * - `refused`: this request will never be taken.
 * - `denied`: the token is not good.
 */
export type ChatFaultKind = 'wait' | 'away' | 'gone' | 'refused' | 'denied';

/** Why a platform did not do something. Its text never holds a token. */
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
