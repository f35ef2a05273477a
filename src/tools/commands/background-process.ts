import type { SandboxProcess, ProcessEnd, PersistentSandboxEnd } from '@errand/sandbox/persistent-sandbox';

/** What nobody has read yet; of more, the beginning is dropped. */
const mostUnread = 256 * 1024;

/** The output of a command of which something runs on, and how it ended. */
export class BackgroundProcess {
  title = '';
  /** By the monotonic clock. */
  readonly startedAtMs: number;
  #process: SandboxProcess | null = null;
  #unread: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #end: ProcessEnd | null = null;
  #isOver = false;
  #notify: () => void = () => undefined;

  constructor(startedAtMs: number) {
    this.startedAtMs = startedAtMs;
  }

  /** Whether nothing of it runs any longer. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isRead(): boolean {
    return this.#bytes === 0;
  }

  follow(process: SandboxProcess): void {
    this.#process = process;
    void this.#follow(process);
  }

  receive(chunk: Buffer): void {
    this.#unread.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > mostUnread && this.#unread.length > 1) {
      const first = this.#unread.shift()?.length ?? 0;
      this.#bytes -= first;
      this.#dropped += first;
    }
    this.#notify();
  }

  /** The output since it was last read. */
  read(): string {
    const missing = this.#dropped > 0 ? `[${this.#dropped} bytes before this were dropped]\n` : '';
    const text = Buffer.concat(this.#unread).toString();
    this.#unread = [];
    this.#bytes = 0;
    this.#dropped = 0;
    return missing + text;
  }

  /** Resolves with the next output, or when it is over; at once if there is unread output. */
  async change(): Promise<void> {
    if (this.#bytes > 0 || this.#isOver) return;
    await new Promise<void>((resolve) => (this.#notify = resolve));
  }

  /** Settles when nothing of it runs any longer. */
  async over(): Promise<void> {
    while (!this.#isOver) await new Promise<void>((resolve) => (this.#notify = resolve));
  }

  write(text: string): void {
    this.#process?.write(text);
  }

  kill(): void {
    this.#process?.signal('KILL');
  }

  /** The exit code of its command; null as long as that runs, or if its sandbox ended. */
  get exitCode(): number | null {
    return this.#end && 'exitCode' in this.#end ? this.#end.exitCode : null;
  }

  /** Why its sandbox ended under it; null if it did not. */
  get lostBy(): PersistentSandboxEnd | null {
    return this.#end && 'lost' in this.#end ? this.#end.lost : null;
  }

  async #follow(process: SandboxProcess): Promise<void> {
    this.#end = await process.ended;
    if ('exitCode' in this.#end && this.#end.left > 0) await process.closed;
    this.#finish();
  }

  #finish(): void {
    this.#isOver = true;
    this.#notify();
  }
}
