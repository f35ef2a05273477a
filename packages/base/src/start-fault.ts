/** A refused start, with one line that names the setting and the remedy. `main` exits with 78. */
export class StartFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartFault';
  }
}
