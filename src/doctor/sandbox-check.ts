import type { Clock } from '@errand/base/clock.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox.ts';

export interface SandboxCheck {
  /** What code can be run in. */
  languages: readonly string[];
  /** Programs that tools would use, as far as this machine has them. */
  programs: readonly string[];
  /** Why there is no sandbox; null when there is one. */
  problem: string | null;
}

/** Opens the sandbox of this machine with all its tests, and closes it again. */
export async function trySandbox(clock: Clock): Promise<SandboxCheck> {
  const availability = await openSandbox({ clock });
  if (availability.sandbox === null) return { languages: [], programs: [], problem: availability.reason };
  await availability.sandbox.close();
  const { languages, programs } = availability.sandbox;
  return { languages, programs, problem: null };
}
