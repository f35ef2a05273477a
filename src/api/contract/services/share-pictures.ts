import type { PublicTask } from '../../../store/tasks/shared-tasks.ts';

/** Draws the pictures that link previews show of shared tasks. */
export interface SharePictures {
  /** A PNG of 1200 by 630 pixels, drawn once while it is remembered. Rejects with 429 if the account has too many new ones. */
  draw(task: PublicTask): Promise<Uint8Array>;
}
