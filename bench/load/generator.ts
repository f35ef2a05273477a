import { readFileSync } from 'node:fs';
import { quantile } from '../report/statistics.ts';
import { Lane } from './lane.ts';
import { encodeRequest, type LoadJob, type LoadResult } from './load-job.ts';

/** Keeps every connection busy until all replies are in; rejects at the first reply that is not a success. */
class Load {
  readonly #job: LoadJob;
  readonly #requests: readonly Uint8Array[];
  readonly #latencies: Float64Array;
  #sent = 0;
  #received = 0;
  #startedAt = 0;
  #startedMs = 0;
  #startedCpu = process.cpuUsage();

  constructor(job: LoadJob) {
    this.#job = job;
    this.#requests = job.requests.map((request) => encodeRequest(new URL(job.url), job.apiKey, request));
    this.#latencies = new Float64Array(job.count);
  }

  async run(): Promise<LoadResult> {
    const { url, connections, warmup } = this.#job;
    const lanes = await Promise.all(Array.from({ length: connections }, () => Lane.open(new URL(url))));
    if (warmup === 0) this.#begin();
    await new Promise<void>((resolve, reject) => {
      for (const lane of lanes) this.#occupy(lane, resolve, reject);
    });
    const result = this.#sumUp();
    for (const lane of lanes) lane.close();
    return result;
  }

  #begin(): void {
    this.#startedAt = Date.now();
    this.#startedMs = performance.now();
    this.#startedCpu = process.cpuUsage();
  }

  #occupy(lane: Lane, resolve: () => void, reject: (error: Error) => void): void {
    const { warmup, count } = this.#job;
    let sentMs = 0;
    const send = () => {
      const request = this.#requests[this.#sent % this.#requests.length];
      if (this.#sent === warmup + count || !request) return;
      this.#sent += 1;
      sentMs = performance.now();
      lane.send(request);
    };
    lane.onFailure = reject;
    lane.onReply = (status) => {
      if (status < 200 || status > 299) return reject(new Error(`the service answered ${status}`));
      this.#received += 1;
      if (this.#received > warmup) this.#latencies[this.#received - warmup - 1] = performance.now() - sentMs;
      else if (this.#received === warmup) this.#begin();
      if (this.#received === warmup + count) resolve();
      else send();
    };
    send();
  }

  #sumUp(): LoadResult {
    const tookMs = performance.now() - this.#startedMs;
    const { user, system } = process.cpuUsage(this.#startedCpu);
    return {
      perSecond: (this.#job.count / tookMs) * 1000,
      p50Ms: quantile(this.#latencies, 0.5),
      p99Ms: quantile(this.#latencies, 0.99),
      startedAt: this.#startedAt,
      endedAt: this.#startedAt + tookMs,
      ownShare: (user + system) / 1000 / tookMs,
    };
  }
}

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadJob;
console.log(JSON.stringify(await new Load(job).run()));
