import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { findRoot, maxFolderPath, maxPattern, readSegments, type WatchedFolder } from '../../rules/triggers/watched-folder.ts';
import type { TriggerType } from '../../store/triggers/trigger-row.ts';
import { optional } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

const about = {
  folder: 'For `folder`: the files directly in this folder of the server start tasks once they have not changed for 20 seconds.',
  root: "The operator's name for a folder that accounts may watch (ERRAND_WATCH_ROOTS).",
  path: 'A folder below it, such as `invoices/new`; by default the root itself.',
  pattern: 'Which names count, with `*` and `?`, at most 100 characters, such as `*.pdf`; by default all that are not hidden.',
};

export const folderField = z
  .object({
    root: z.string().meta({ description: about.root }),
    path: optional(z.string()).meta({ description: about.path }),
    pattern: optional(z.string()).meta({ description: about.pattern }),
  })
  .meta({ description: about.folder });

type FolderInput = z.output<typeof folderField>;

/** 400 where the operator lets accounts watch nothing. */
export function checkWatching({ watchRoots }: Pick<Context, 'watchRoots'>): void {
  if (Object.keys(watchRoots).length > 0) return;
  throw invalidField('type', 'this service watches no folders until its operator sets ERRAND_WATCH_ROOTS');
}

/** The folder of a new or changed trigger of this type; undefined if the request names none. 400 for one outside of all roots. */
export function readFolder(
  type: TriggerType,
  folder: FolderInput | undefined,
  { watchRoots, principal }: Pick<Context, 'watchRoots' | 'principal'>,
): WatchedFolder | undefined {
  if (!folder) return undefined;
  if (type !== 'folder') throw invalidField('folder', 'is only for triggers of the type folder');
  checkWatching({ watchRoots });
  const { root, path = '', pattern = '*' } = folder;
  if (findRoot(watchRoots, root, principal.accountId) === null) {
    throw invalidField('folder.root', `must be one of ${Object.keys(watchRoots).join(', ')}`);
  }
  if (readSegments(path) === null) {
    throw invalidField('folder.path', `must be a path below the root such as invoices/new, at most ${maxFolderPath} characters`);
  }
  if (pattern === '' || pattern.length > maxPattern || /[/\p{Cc}]/u.test(pattern)) {
    throw invalidField('folder.pattern', `must be a name with * and ?, without /, at most ${maxPattern} characters`);
  }
  return { root, path: path.toWellFormed(), pattern: pattern.toWellFormed() };
}

/** The folder of a new trigger: required for the type `folder`, null for every other. */
export function requireFolder(type: TriggerType, folder: FolderInput | undefined, context: Context): WatchedFolder | null {
  if (type === 'folder' && !folder) throw missingField('folder');
  return readFolder(type, folder, context) ?? null;
}
