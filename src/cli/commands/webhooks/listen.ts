import { pause } from '@errand/base/clock.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { CommandFault, exitCode, UsageFault } from '../../exit-code.ts';
import { accountOption, requireOption } from '../../input/options.ts';
import { printJson, printNote, printText } from '../../output/print.ts';
import type { Shell } from '../../shell.ts';
import { isPassing } from '../../tasks/task-follower.ts';
import { refuseUnserved } from '../../tasks/unattended.ts';
import { withConnection } from '../../transport/connect.ts';
import type { Connection } from '../../transport/connection.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineCommand } from '../command.ts';

type KeptEvent = ResultOf<'webhook.pull'>['data'][number];
/** An event to be posted; those without a body were lost. */
type PostedEvent = KeptEvent & { body: string };

const eventTypes = ['task_created', 'task_stopped'];
const pollMs = 1000;
/** Forwarded deliveries have as long as real ones. */
const forwardTimeoutMs = 15_000;

function readUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new UsageFault('--forward must be a URL that begins with http:// or https://, such as http://localhost:3000/hook');
}

function readEventTypes(text: string | undefined): ReadonlySet<string> {
  const types = text?.split(',').map((type) => type.trim()) ?? eventTypes;
  const unknown = types.find((type) => !eventTypes.includes(type));
  if (unknown === undefined) return new Set(types);
  throw new UsageFault(`--events takes ${eventTypes.join(' and ')}, separated by commas`);
}

/** The status of the response, or why there is none. */
async function forward({ headers, body }: PostedEvent, url: string, { clock, signal }: Shell): Promise<number | string> {
  const timeout = new AbortController();
  const timer = clock.setTimer(() => timeout.abort(new Error('no response within 15 seconds')), forwardTimeoutMs);
  try {
    const ends = AbortSignal.any([signal, timeout.signal]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: ends });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    return cause?.message || cause?.code || message;
  } finally {
    timer.cancel();
  }
}

interface Listening {
  url: string;
  types: ReadonlySet<string>;
  /** Receives one line per event. */
  print(line: string): void;
}

/** Passes events on until the command is interrupted. */
class Relay {
  readonly counts = { forwarded: 0, failed: 0, lost: 0 };
  readonly #shell: Shell;
  readonly #listening: Listening;
  /** What the service does not know yet. */
  #received: string[] = [];

  constructor(shell: Shell, listening: Listening) {
    this.#shell = shell;
    this.#listening = listening;
  }

  async run(connection: Connection, listenerId: string): Promise<void> {
    const { clock, signal } = this.#shell;
    let isLost = false;
    while (!signal.aborted) {
      try {
        const { data } = await connection.call('webhook.pull', { listener_id: listenerId, received: this.#received });
        if (isLost) printNote(this.#shell, 'connected again');
        isLost = false;
        this.#received = [];
        for (const event of data) await this.#pass(event);
        if (data.length > 0) continue;
      } catch (error) {
        if (!isPassing(error)) throw explainEnd(error);
        if (!isLost) printNote(this.#shell, `${cleanLine((error as Error).message)}; trying again`);
        isLost = true;
      }
      await pause(clock, pollMs, signal);
    }
  }

  async #pass(event: KeptEvent): Promise<void> {
    if (this.#shell.signal.aborted) return;
    if (this.#listening.types.has(event.event_type)) {
      const { body } = event;
      if (body === null) this.#reportLost(event);
      else await this.#post({ ...event, body });
      if (this.#shell.signal.aborted) return;
    }
    this.#received.push(event.id);
  }

  async #post(event: PostedEvent): Promise<void> {
    const { clock, signal } = this.#shell;
    const startedAt = clock.monotonic();
    const status = await forward(event, this.#listening.url, this.#shell);
    if (signal.aborted) return;
    const isAccepted = typeof status === 'number' && status >= 200 && status < 300;
    this.counts[isAccepted ? 'forwarded' : 'failed'] += 1;
    const took = `${Math.round(clock.monotonic() - startedAt)} ms`;
    this.#print(cleanLine(String(status), 100), took, cleanLine(event.event_id, 200));
  }

  #reportLost({ event_id: id }: KeptEvent): void {
    this.counts.lost += 1;
    this.#print('lost', cleanLine(id, 200), 'because too many events waited');
  }

  #print(...columns: string[]): void {
    const time = new Date(this.#shell.clock.now()).toISOString().slice(11, 19);
    this.#listening.print([time, ...columns].join('  '));
  }
}

function explainEnd(error: unknown): unknown {
  if (!(error instanceof CommandFault) || error.code !== 'not_found') return error;
  return new CommandFault(
    'the service has ended this listener, at the latest after 24 hours; events since then are not forwarded: run errand listen again',
    { cause: error },
  );
}

/** `errand listen` */
export const listen = defineCommand({
  name: 'listen',
  summary: 'Forward the webhook events of an account to a receiver on this machine.',
  options: {
    forward: { type: 'string', value: 'URL', about: 'Where to post them, for example http://localhost:3000/hook.' },
    events: { type: 'string', value: 'EVENTS', about: 'Only task_created or task_stopped (default: task_created,task_stopped).' },
    ...accountOption,
  },
  details: `Nothing has to be opened: this command asks the service for new events, and posts each of them once, signed like a
webhook. It begins with the secret that verifies them, and prints time (UTC), status, duration, and ID of each.
Ends with Ctrl-C, or after 24 hours. With --json, lines go to standard error, and the counts are printed at the end.`,
  examples: [
    ['listen --forward http://localhost:3000/hook', 'from now on, until Ctrl-C'],
    ['listen --events task_stopped --forward http://localhost:3000/hook', 'only ends of tasks'],
  ],
  async run(shell, { options }) {
    const url = readUrl(requireOption(options, 'forward'));
    const types = readEventTypes(options.events);
    const print = (line: string) => (options.json ? printNote(shell, line) : printText(shell, line));
    return withConnection(shell, { account: options.account }, async (connection) => {
      refuseUnserved(shell, connection);
      const { listener } = await connection.call('webhook.listen', { url });
      const relay = new Relay(shell, { url, types, print });
      try {
        print(`forwarding to ${url}, signed with the secret ${listener.secret}`);
        await relay.run(connection, listener.id);
      } finally {
        // If it cannot be deleted now, the service does so when it ends.
        await connection.call('webhook.delete', { webhook_id: listener.id }).catch(() => undefined);
      }
      if (options.json) printJson(shell, relay.counts);
      return exitCode.done;
    });
  },
});
