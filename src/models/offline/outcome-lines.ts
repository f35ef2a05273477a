import { isJsonObject } from '@errand/base/json-object.ts';
import { readCallInput } from '../call-input.ts';
import { call, type Instruction, type LineForm, takeName } from './line-words.ts';

const longestWaitS = 3600;
const mostRefusals = 100;

/** A whole number of this text between 1 and `most`, or null. */
function readNumber(text: string, most: number): number | null {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= 1 && value <= most ? value : null;
}

function readWait(rest: string): Instruction | null {
  const [number, unit] = takeName(rest);
  const seconds = readNumber(number, longestWaitS);
  return seconds === null || !/^(s|seconds?)?$/i.test(unit) ? null : { type: 'trouble', trouble: { waitMs: seconds * 1000 } };
}

function readRateLimit(rest: string): Instruction | null {
  const times = readNumber(rest, mostRefusals);
  return times === null ? null : { type: 'trouble', trouble: { refusals: times } };
}

function readTool(rest: string): Instruction | null {
  const [tool, json] = takeName(rest);
  const input = json === '' ? {} : readCallInput(json);
  if (!isJsonObject(input)) return null;
  return call(tool, input, `call ${tool}`, `called ${tool}`, true);
}

/** Lines that make the model behave as real ones do at times, so that programs can be tried against every outcome. */
export const outcomeForms: readonly LineForm[] = [
  { verb: 'wait', usage: 'wait SECONDS', read: readWait },
  { verb: 'rate-limit', usage: 'rate-limit TIMES', read: readRateLimit },
  { verb: 'fail', usage: 'fail TEXT', read: (text) => ({ type: 'trouble', trouble: { failure: text } }) },
  { verb: 'stream', usage: 'stream TEXT', read: (text) => ({ type: 'say', text, isSlow: true }) },
  { verb: 'tool', usage: 'tool NAME [JSON]', read: readTool },
];
