import { extname } from 'node:path';
import { invalidField } from '@errand/base/fault.ts';
import type { GeneratorJobs, GeneratorOutcome, Generators, MadeFile } from '@errand/documents';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';
import type { ToolContext, ToolOutcome } from '../toolbox/tool.ts';

/** The extension of a file to generate, without the dot; throws a Fault for other extensions and invalid paths. */
export function readFormat<Format extends string>(path: string, formats: readonly Format[], field = 'path'): Format {
  const ending = extname(normaliseWorkspacePath(path)).slice(1).toLowerCase();
  const format = formats.find((each) => each === ending);
  if (format) return format;
  throw invalidField(field, `${JSON.stringify(path)} must end in ${formats.map((each) => `.${each}`).join(' or ')}.`);
}

function describeBytes(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}

/** What the result says about files that were replaced, so that no earlier result is lost silently. */
export function noteReplaced(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [`This replaced what was in ${paths.join(' and ')}. For a result beside the earlier one, take another name.`];
}

/** Whether a file exists. */
export function hasFile(workspace: Workspace, path: string): Promise<boolean> {
  return workspace.readStart(path, 1).then(
    () => true,
    () => false,
  );
}

/** Whether a file exists with other content; equal content is written again after a crash. */
async function differs(workspace: Workspace, path: string, bytes: Uint8Array): Promise<boolean> {
  const known = await workspace.readStart(path, bytes.length + 1).catch(() => null);
  return known !== null && !known.equals(bytes);
}

/**
 * Generates a file and writes it to the workspace; writes nothing if any part fails.
 *
 * @param place where a file goes, if not to its own path
 */
export async function makeFiles<Kind extends keyof GeneratorJobs>(
  generators: Generators,
  kind: Kind,
  job: GeneratorJobs[Kind],
  context: ToolContext,
  place?: (file: MadeFile) => Promise<string>,
): Promise<ToolOutcome> {
  const { accountId, workspace, signal, report } = context;
  const made = await generators.make(kind, job, {
    owner: accountId,
    readFile: (path) => workspace.read(path),
    signal,
    report: (line) => report(`${line}\n`),
  });
  return writeMade(made, context, place);
}

/** Writes generated files to the workspace. */
export async function writeMade(
  made: GeneratorOutcome,
  { workspace }: ToolContext,
  place: (file: MadeFile) => Promise<string> = ({ path }) => Promise.resolve(path),
): Promise<ToolOutcome> {
  const files: string[] = [];
  const replaced: string[] = [];
  for (const file of made.files) {
    const path = await place(file);
    if (await differs(workspace, path, file.bytes)) replaced.push(normaliseWorkspacePath(path));
    await workspace.write(path, file.bytes);
    files.push(`${normaliseWorkspacePath(path)} (${describeBytes(file.bytes.length)})`);
  }
  return { status: 'success', output: [`Made ${files.join(' and ')}.`, ...noteReplaced(replaced), ...made.notes].join('\n') };
}
