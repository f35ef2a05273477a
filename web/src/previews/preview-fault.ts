/** Why a file cannot be shown. `expired`: its address is over, and a new one helps. */
export type PreviewTrouble = 'broken' | 'expired' | 'gone' | 'locked' | 'slow' | 'tooLarge' | 'unreachable';

export class PreviewFault extends Error {
  readonly trouble: PreviewTrouble;

  constructor(trouble: PreviewTrouble, cause?: unknown) {
    super(trouble, { cause });
    this.name = 'PreviewFault';
    this.trouble = trouble;
  }
}
