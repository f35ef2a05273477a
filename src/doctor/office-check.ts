import type { Clock } from '@errand/base/clock.ts';
import { findFfmpeg } from '@errand/sandbox/programs/find-ffmpeg.ts';
import { findOffice } from '@errand/sandbox/programs/find-office.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox.ts';

export interface OfficeCheck {
  /** Where LibreOffice is; null where there is none. */
  program: string | null;
  /** Why it cannot be used; null when it can. */
  problem: string | null;
}

/** Whether presentations and old text documents can be made into pages on this machine. */
export async function tryOffice(clock: Clock): Promise<OfficeCheck> {
  const program = findOffice();
  if (program === null) return { program, problem: 'LibreOffice is not installed' };
  const { sandbox } = await openSandbox({ clock });
  await sandbox?.close();
  return { program, problem: sandbox ? null : 'it runs in the sandbox only, and there is none' };
}

/** Where FFmpeg is, which covers of films and recordings are made with; null where there is none. */
export const findMediaProgram = findFfmpeg;
