import { readFileSync } from 'node:fs';

// Loaded into each thread of a service before its own code: the wall clock is off by as many milliseconds as a file says. Monotonic
// time and timers go on, as they do when the clock of a machine is set.

const file = process.env['CHAOS_CLOCK'];
const pollMs = 50;

function readOffset(from: string): number {
  try {
    return Number(readFileSync(from, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

if (file) {
  const RealDate = Date;
  let offsetMs = readOffset(file);
  setInterval(() => {
    offsetMs = readOffset(file);
  }, pollMs).unref();
  const now = () => RealDate.now() + offsetMs;

  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parts: [], newTarget) =>
      Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget) as object,
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
