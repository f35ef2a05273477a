import { Readable, Writable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import type { Host } from '../../../src/cli/shell.ts';
import type { Environment } from '../../../src/config/config.ts';
import { TestClock } from '../base/test-clock.ts';

class Paper extends Writable {
  text = '';
  isTTY = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** The process as commands see it, recording everything they write. */
export class TestHost implements Host {
  readonly env: Environment;
  readonly clock: Clock;
  readonly stdin: Readable;
  readonly stdout = new Paper();
  readonly stderr = new Paper();
  readonly nodeVersion = '24.0.0';
  readonly interrupt = new AbortController();
  readonly signal = this.interrupt.signal;

  constructor(env: Environment = {}, options: { stdin?: string; clock?: Clock } = {}) {
    this.env = env;
    this.clock = options.clock ?? new TestClock();
    this.stdin = Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]);
  }
}
