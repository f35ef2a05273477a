import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { messageRequest } from '../service/service-calls.ts';
import { quantile } from '../report/statistics.ts';
import type { CrowdJob, CrowdResult } from './crowd-job.ts';
import { Lane } from './lane.ts';
import { encodeRequest } from './load-job.ts';

/** Readers that connect at the same time. */
const batchLength = 100;
/** One for all readers: each looks at its bytes at once. */
const buffer = Buffer.allocUnsafe(64 * 1024);

/** Follows tasks, prints a line when every stream has begun and one with the result, and stays until it is ended. */
class Crowd {
  readonly #job: CrowdJob;
  #mark: Buffer = Buffer.from('user_message');
  #missing = 0;
  #found: () => void = () => undefined;
  #sentMs = 0;
  readonly #latencies: number[] = [];

  constructor(job: CrowdJob) {
    this.#job = job;
  }

  async open(): Promise<void> {
    for (let from = 0; from < this.#job.readers; from += batchLength) {
      const count = Math.min(batchLength, this.#job.readers - from);
      const begun = this.#expect('user_message', count);
      await Promise.all(Array.from({ length: count }, (_, index) => this.#openReader(from + index)));
      await begun;
    }
    this.#latencies.length = 0;
  }

  async send(): Promise<CrowdResult> {
    const { url: serviceUrl, apiKey, taskIds, messages, readers } = this.#job;
    const url = new URL(serviceUrl);
    const lane = await Lane.open(url);
    for (let at = 0; at < messages; at++) {
      const mark = `mark-${at}-`;
      const arrived = this.#expect(mark, readers);
      this.#sentMs = performance.now();
      const answered = lane.ask(encodeRequest(url, apiKey, messageRequest(taskIds[0] ?? '', mark)));
      await arrived;
      await answered;
    }
    lane.close();
    const [p50Ms, p99Ms] = messages === 0 ? [null, null] : [quantile(this.#latencies, 0.5), quantile(this.#latencies, 0.99)];
    return { p50Ms, p99Ms };
  }

  #expect(mark: string, readers: number): Promise<void> {
    this.#mark = Buffer.from(mark);
    this.#missing = readers;
    return new Promise((resolve) => (this.#found = resolve));
  }

  #receive(count: number): boolean {
    if (!buffer.subarray(0, count).includes(this.#mark)) return true;
    this.#latencies.push(performance.now() - this.#sentMs);
    this.#missing -= 1;
    if (this.#missing === 0) this.#found();
    return true;
  }

  async #openReader(index: number): Promise<void> {
    const { url: serviceUrl, apiKey, taskIds } = this.#job;
    const url = new URL(serviceUrl);
    const onread = { buffer, callback: (count: number) => this.#receive(count) };
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread });
    socket.on('close', () => {
      throw new Error('the service closed a stream');
    });
    await once(socket, 'connect');
    const path = `/v2/task.stream?task_id=${taskIds[index % taskIds.length]}`;
    socket.write(encodeRequest(url, apiKey, { method: 'GET', path }));
  }
}

const crowd = new Crowd(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CrowdJob);
await crowd.open();
console.log('open');
console.log(JSON.stringify(await crowd.send()));
