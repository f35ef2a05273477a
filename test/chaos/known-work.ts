import type { Rule } from '../support/models/model-server.ts';

/** What a message asks for, with what has to come of it. */
interface Work {
  rule: Rule;
  /** The text of the reply. */
  reply: string;
  /** Names of the tools that run, in order. */
  tools: readonly string[];
}

const pieces = Array.from({ length: 12 }, (_, index) => `piece ${index} `);
const files = [1, 2, 3, 4];

/** All kinds of work by the word that asks for it. */
export const works = {
  quick: { rule: { match: 'quick', steps: [{ text: 'Done.' }] }, reply: 'Done.', tools: [] },
  slow: { rule: { match: 'slow', steps: [{ text: pieces, frameDelayMs: 150 }] }, reply: pieces.join(''), tools: [] },
  write: {
    rule: {
      match: 'write',
      steps: [
        ...files.map((number) => ({
          delayMs: 200,
          calls: [{ tool: 'write_file', input: { path: `file-${number}.txt`, content: `file ${number}` } }],
        })),
        { text: 'All written.' },
      ],
    },
    reply: 'All written.',
    tools: files.map(() => 'write_file'),
  },
} as const satisfies Record<string, Work>;

export type WorkKind = keyof typeof works;

export const workKinds = ['quick', 'slow', 'write'] as const satisfies readonly WorkKind[];

export const workRules: Rule[] = workKinds.map((kind) => works[kind].rule as Rule);

/** One message of the stream: its words are unique, so that it is found wherever it is. */
export interface KnownMessage {
  token: string;
  kind: WorkKind;
  content: string;
}

/** A task of the stream, with all messages that the service has acknowledged. */
export interface KnownTask {
  id: string;
  messages: KnownMessage[];
}

export function knownMessage(token: string, kind: WorkKind): KnownMessage {
  return { token, kind, content: `${kind} [${token}]` };
}
