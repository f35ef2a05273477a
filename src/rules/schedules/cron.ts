import { invalidField } from '@errand/base/fault.ts';

/** The times that five fields of cron name, each as the sorted values that match. */
export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  /** Whether a day matches, by its number in the month and in the week. */
  matchesDay(month: number, day: number, weekday: number): boolean;
}

interface Field {
  name: string;
  lowest: number;
  highest: number;
  /** Names of the values from the lowest on. */
  names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** The most days that the months have. */
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const fields = [
  { name: 'minute', lowest: 0, highest: 59 },
  { name: 'hour', lowest: 0, highest: 23 },
  { name: 'day of the month', lowest: 1, highest: 31 },
  { name: 'month', lowest: 1, highest: 12, names: months },
  // Sunday is 0 and 7.
  { name: 'day of the week', lowest: 0, highest: 7, names: weekdays },
] as const satisfies Field[];

const longest = 200;

function problem(text: string): Error {
  return invalidField('cron', text);
}

function readValue(text: string, { name, lowest, highest, names = [] }: Field): number {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named + lowest;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= lowest && value <= highest) return value;
  const form = names.length > 0 ? `, or a name such as ${names[1]}` : '';
  throw problem(`has ${JSON.stringify(text)} as ${name}; it must be between ${lowest} and ${highest}${form}`);
}

/** One of the parts between commas: a star, a value or a range, each also with a step after a slash. */
function readPart(part: string, field: Field): number[] {
  const [range = '', stepText, ...rest] = part.split('/');
  const step = stepText === undefined ? 1 : Number(/^\d{1,2}$/.test(stepText) ? stepText : 0);
  if (step === 0 || rest.length > 0) {
    throw problem(`has ${JSON.stringify(part)} as ${field.name}; the step after / must be a number from 1 to 99`);
  }
  const [first = '', last, ...more] = range.split('-');
  if (more.length > 0) throw problem(`has ${JSON.stringify(part)} as ${field.name}, which is not a range`);
  const from = range === '*' ? field.lowest : readValue(first, field);
  // A step after a single value counts from there to the end.
  const open = range === '*' || stepText !== undefined ? field.highest : from;
  const to = last === undefined ? open : readValue(last, field);
  // From a day to Sunday, which is also the seventh.
  const end = field.highest === 7 && to === 0 && from > 0 ? 7 : to;
  if (from > end) throw problem(`has ${JSON.stringify(part)} as ${field.name}; the range must not end before it begins`);
  return Array.from({ length: Math.floor((end - from) / step) + 1 }, (_, index) => from + index * step);
}

function readField(text: string, field: Field): number[] {
  return [...new Set(text.split(',').flatMap((part) => readPart(part, field)))].toSorted((a, b) => a - b);
}

/**
 * Combines the two day fields: if both are given, a day matches if either does. A field that begins with a star does not count as given.
 */
function createDayRule(dayText: string, weekdayText: string, days: ReadonlySet<number>, weekdaySet: ReadonlySet<number>) {
  const isEither = !dayText.startsWith('*') && !weekdayText.startsWith('*');
  return (day: number, weekday: number) =>
    isEither ? days.has(day) || weekdaySet.has(weekday) : days.has(day) && weekdaySet.has(weekday);
}

/** Reads five fields of cron; 400 for `cron` that says which part is wrong, also if no date can ever match. */
export function readCron(text: string): Cron {
  if (text.length > longest) throw problem(`must have at most ${longest} characters`);
  const texts = text.trim().split(/\s+/);
  if (texts.length !== fields.length) {
    throw problem('must have five fields: minute, hour, day of the month, month, day of the week, such as "0 9 * * mon-fri"');
  }
  const [minutes = [], hours = [], days = [], monthList = [], weekdayList = []] = fields.map((field, index) =>
    readField(texts[index] ?? '', field),
  );
  const [, , dayText = '', , weekdayText = ''] = texts;
  const [monthSet, daySet] = [new Set(monthList), new Set(days)];
  const matches = createDayRule(dayText, weekdayText, daySet, new Set(weekdayList.map((weekday) => weekday % 7)));
  const isWeekly = !weekdayText.startsWith('*') && !dayText.startsWith('*');
  if (!isWeekly && !monthList.some((month) => (days[0] ?? 0) <= (monthLengths[month - 1] ?? 0))) {
    throw problem(`can never fire: no month that it names has a day ${days[0]}`);
  }
  return {
    minutes,
    hours,
    matchesDay: (month, day, weekday) => monthSet.has(month) && matches(day, weekday),
  };
}
