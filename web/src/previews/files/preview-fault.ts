/**
 * Why a file cannot be shown. `expired`: its URL has expired, and a new one helps; `busy`: the service is working on it, and a retry helps;
 * `unprinted`: the service has no program to convert it.
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
