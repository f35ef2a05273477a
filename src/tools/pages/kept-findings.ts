import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import type { Finding } from '@errand/sandbox/press';
import { describeFindings } from './page-findings.ts';
import { placeLooks } from './look-at-result.ts';
import type { ToolContext } from '../toolbox/tool.ts';

const mostBytes = 100_000;

const keptFindings = z.strictObject({ sha256: z.string(), lines: z.array(z.string()).max(100) });

function placeFindings(pdf: string): string {
  return `${placeLooks(pdf)}.findings.json`;
}

async function digest(path: string, { workspace }: Pick<ToolContext, 'workspace'>): Promise<string> {
  return createHash('sha256')
    .update(await workspace.read(path))
    .digest('hex');
}

/**
 * Keeps what was wrong with the page that a PDF was made of. Cut-off words of a page cannot be seen in its PDF, so `deliver`
 * would not find them again.
 */
export async function keepFindings(pdf: string, findings: readonly Finding[], context: ToolContext): Promise<void> {
  if (findings.length === 0) return;
  try {
    const kept = { sha256: await digest(pdf, context), lines: describeFindings(findings).slice(1) };
    await context.workspace.write(placeFindings(pdf), JSON.stringify(kept));
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
  }
}

/** The kept findings of a PDF, as lines; none if the file has changed since. */
export async function readFindings(pdf: string, context: ToolContext): Promise<string[]> {
  try {
    const start = await context.workspace.readStart(placeFindings(pdf), mostBytes);
    const kept = keptFindings.safeParse(JSON.parse(start.toString()));
    return kept.success && kept.data.sha256 === (await digest(pdf, context)) ? kept.data.lines : [];
  } catch (error) {
    context.signal.throwIfAborted();
    // Commands can write to the workspace, so that the file may be anything.
    if (error instanceof Fault || error instanceof SyntaxError) return [];
    throw error;
  }
}
