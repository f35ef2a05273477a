import type { Measure } from './measure.ts';
import { append } from './append.ts';
import { costs } from './costs.ts';
import { create } from './create.ts';
import { credentials } from './credentials.ts';
import { deliver } from './webhook-delivery.ts';
import { endToEnd } from './end-to-end.ts';
import { held } from './held.ts';
import { making } from './documents/making.ts';
import { length } from './length.ts';
import { library } from './library/pages.ts';
import { memory } from './memory.ts';
import { paced } from './paced.ts';
import { read } from './read.ts';
import { schedules } from './schedules.ts';
import { readers } from './readers.ts';
import { rows } from './rows.ts';
import { start } from './start.ts';
import { command, step } from './step.ts';
import { stop } from './stop.ts';
import { stream } from './stream.ts';
import { tenants } from './tenants.ts';
import { tracing } from './tracing/tracing.ts';
import { waiting } from './waiting.ts';
import { year } from './year/year.ts';

export const measures: readonly Measure[] = [
  create,
  append,
  read,
  endToEnd,
  costs,
  stream,
  readers,
  step,
  command,
  rows,
  length,
  stop,
  deliver,
  start,
  memory,
  waiting,
  held,
  paced,
  credentials,
  making,
  library,
  tenants,
  schedules,
  tracing,
  year,
];
