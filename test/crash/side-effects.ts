import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from '../support/service/deployment.ts';

/** Tells one writing of a file from the next, even with the same bytes. */
function fingerprint(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeNs}` : null;
}

/**
 * Watches what tool calls left in the workspaces. A call that the log holds as ended must leave its file alone from then on,
 * whatever is killed afterwards: a second run of it would write the file anew.
 */
export class SideEffects {
  readonly #deployment: Deployment;
  readonly #seen = new Map<string, string>();
  readonly problems: string[] = [];

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  get count(): number {
    return this.#seen.size;
  }

  #workspaces(): string {
    const folder = join(this.#deployment.dataDir, 'workspaces');
    const [instance = ''] = readdirSync(folder);
    return join(folder, instance);
  }

  /** Looks at every recorded call, the new ones for the first time. */
  async look(): Promise<void> {
    // The log first: what it holds was done before.
    const rows = await this.#deployment.query("SELECT account_id, task_id, seq, body FROM events WHERE type = 'tool_finished'");
    if (rows.length === 0) return;
    const folder = this.#workspaces();
    for (const row of rows) {
      const { tool, status, param } = JSON.parse(String(row.body)) as { tool: string; status: string; param: string };
      const call = `${String(row.task_id)}/${param} recorded at ${row.seq}`;
      const now = fingerprint(join(folder, String(row.account_id), String(row.task_id), param));
      if (tool !== 'write_file' || status !== 'success') this.problems.push(`${call}: ${tool} ended with ${status}`);
      else if (now === null) this.problems.push(`${call}: the file is missing`);
      else this.#compare(call, now);
    }
  }

  #compare(call: string, now: string): void {
    const before = this.#seen.get(call);
    if (before !== undefined && before !== now) this.problems.push(`${call}: written again`);
    this.#seen.set(call, now);
  }
}
