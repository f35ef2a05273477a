import { type Client, DatabaseError, Query } from 'pg';
import type { Outcome } from '@errand/base/load/batcher.ts';
import { Fault } from '@errand/base/fault.ts';
import { toPostgres } from './dialect.ts';
import { hasOwnSession } from './postgres-connection.ts';
import type { Row, Script, Statement, Step } from './store-operation.ts';

const names = new Map<string, string>();

/** Each statement is prepared once per connection, under its own name. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

/**
 * Sends all statements in one write before waiting for the first response; rejects with the first error after all responses are in. Uses
 * callbacks: a promise for each of the ten statements of a task costs more than reading the responses.
 */
function executeAll(client: Client, statements: readonly Statement[]): Promise<Row[][]> {
  const answers: Row[][] = [];
  const isPreparing = hasOwnSession(client);
  let open = statements.length;
  if (open === 0) return Promise.resolve(answers);
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const { stream } = client.connection;
    stream.cork();
    for (const [index, { sql, params }] of statements.entries()) {
      const query = new Query<Row>(toPostgres(sql), [...params], (error, result) => {
        if (error) failure ??= error;
        else answers[index] = result.rows;
        open -= 1;
        if (open > 0) return;
        if (failure) reject(failure);
        else resolve(answers);
      });
      client.query(isPreparing ? Object.assign(query, { name: statementName(sql) }) : query);
    }
    stream.uncork();
  });
}

/** Runs one script without a transaction: reads. */
export async function runScript<Result>(client: Client, script: Script<Result>): Promise<Result> {
  let step = script.next([]);
  while (!step.done) step = script.next(await executeAll(client, step.value));
  return step.value;
}

/**
 * Begins a transaction without waiting for the response, so that the first statements are sent with it. The awaited promise reports a
 * failure; until then a broken connection must not cause an unhandled rejection.
 */
function begin(client: Client): Promise<unknown> {
  const begun = client.query('BEGIN');
  begun.catch(() => undefined);
  return begun;
}

/**
 * Sends the last statements of a transaction and its commit in one write. If a statement fails, the server takes the commit for a rollback.
 */
async function executeLast(client: Client, statements: readonly Statement[]): Promise<Row[][]> {
  const { stream } = client.connection;
  stream.cork();
  const executed = executeAll(client, statements);
  const committed = client.query('COMMIT');
  stream.uncork();
  const [answers] = await Promise.all([executed, committed]);
  return answers;
}

/** The result of a script whose last statements are committed. */
function readResult<Result>(script: Script<Result>, rows: readonly Row[][]): Result {
  const step = script.next(rows);
  if (!step.done) throw new Error('a script goes on after its last step');
  return step.value;
}

/** Runs one script in its own transaction. */
export async function runExclusive<Result>(client: Client, script: Script<Result>): Promise<Result> {
  const begun = begin(client);
  let isCommitting = false;
  try {
    let step = script.next([]);
    while (!step.done) {
      isCommitting = step.value.isLast === true;
      if (isCommitting) return readResult(script, await executeLast(client, step.value));
      step = script.next(await executeAll(client, step.value));
    }
    await begun;
    await client.query('COMMIT');
    return step.value;
  } catch (error) {
    await begun.catch(() => undefined);
    // A commit that was sent has ended the transaction, one way or the other.
    if (!isCommitting) await client.query('ROLLBACK');
    throw error;
  }
}

/** `57P01` to `57P05`: the server ends the connection, perhaps after it has committed. */
const endedByServer = /^57P/;

/** Whether the server has refused a statement, and so committed nothing. */
function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError && !endedByServer.test(error.code ?? '');
}

interface Turn {
  index: number;
  script: Script<unknown>;
  rows: Row[][];
  hasWritten: boolean;
}

/** A failure after a write: the shared transaction must be rolled back. */
class SharedFailure extends Error {}

/** Advances one script to its next statements; none once it has finished, with its outcome. Steps without statements are skipped. */
function advance(turn: Turn, outcomes: Outcome<unknown>[]): Step {
  try {
    let step = turn.script.next(turn.rows);
    while (!step.done && step.value.length === 0) step = turn.script.next([]);
    if (!step.done) return step.value;
    outcomes[turn.index] = { ok: true, value: step.value };
  } catch (error) {
    if (turn.hasWritten || !(error instanceof Fault)) throw new SharedFailure();
    outcomes[turn.index] = { ok: false, error };
  }
  return [];
}

interface Going {
  turn: Turn;
  statements: Step;
}

/** The turns with the answers to their statements. */
function takeAnswers(going: readonly Going[], answers: readonly Row[][]): Turn[] {
  let at = 0;
  return going.map(({ turn, statements }) => {
    const hasWritten = turn.hasWritten || statements.some(({ sql }) => !sql.startsWith('SELECT'));
    return { ...turn, rows: answers.slice(at, (at += statements.length)), hasWritten };
  });
}

/**
 * Runs scripts as one transaction, in rounds: the next statements of all scripts are sent together, so a batch takes as many round trips as
 * its longest script has steps. Null if one failed after writing: then everything is rolled back. Rejects if the connection fails, also during
 * the commit, whose outcome is unknown then.
 */
export async function runTogether(client: Client, scripts: readonly Script<unknown>[]): Promise<Outcome<unknown>[] | null> {
  const outcomes: Outcome<unknown>[] = new Array<Outcome<unknown>>(scripts.length);
  const begun = begin(client);
  let isCommitting = false;
  try {
    let turns = scripts.map((script, index): Turn => ({ index, script, rows: [], hasWritten: false }));
    while (turns.length > 0) {
      const going = turns.flatMap((turn): Going[] => {
        const statements = advance(turn, outcomes);
        return statements.length > 0 ? [{ turn, statements }] : [];
      });
      const all = going.flatMap(({ statements }) => statements);
      isCommitting = going.length > 0 && going.every(({ statements }) => statements.isLast === true);
      turns = takeAnswers(going, await (isCommitting ? executeLast(client, all) : executeAll(client, all)));
      if (!isCommitting) continue;
      for (const { index, script, rows } of turns) outcomes[index] = { ok: true, value: readResult(script, rows) };
      return outcomes;
    }
    await begun;
    isCommitting = true;
    await client.query('COMMIT');
    return outcomes;
  } catch (error) {
    // Each is rerun alone and then gets its own error; a broken connection fails here already.
    await begun.catch(() => undefined);
    if (!isCommitting) await client.query('ROLLBACK');
    if (isCommitting && !isRefused(error)) throw error;
    return null;
  }
}
