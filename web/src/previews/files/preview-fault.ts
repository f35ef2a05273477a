/**
 * Why a file cannot be shown. `expired`: its address is over, and a new one helps; `busy`: the service is at it, and asking again
 * helps; `unprinted`: the service has no program that makes pages of it.
 */
export type PreviewTrouble =
  | 'broken'
  | 'busy'
  | 'expired'
  | 'gone'
  | 'locked'
  | 'slow'
  | 'tooLarge'
  | 'unconverted'
  | 'unreachable';

export class PreviewFault extends Error {
  readonly trouble: PreviewTrouble;

  constructor(trouble: PreviewTrouble, cause?: unknown) {
    super(trouble, { cause });
    this.name = 'PreviewFault';
    this.trouble = trouble;
  }
}
