// A dashboard over one table: choices, figures, bars of a group, a line over time, and the rows. It works with any data.js.

export const dashboard = {
  body: (title) => `    <h1>${title}</h1>
    <p class="lead">What the numbers say, in one sentence. Period, source.</p>
    <form id="filters" class="filters" aria-label="Filters"></form>
    <p id="count" role="status"></p>
    <dl class="figures" id="figures"></dl>
    <div class="charts">
      <section><h2 id="bars-title">By group</h2><ul class="bars" id="bars" aria-labelledby="bars-title"></ul></section>
      <section id="time" hidden><h2 id="line-title">Over time</h2><div id="line"></div></section>
    </div>
    <section>
      <h2>The table behind it</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Table"><table id="table"><caption>What a row is, and its unit</caption><thead></thead><tbody></tbody></table></div>
      <p id="rest"></p>
    </section>`,
  style: `.filters { display: flex; flex-wrap: wrap; gap: 0.8rem; align-items: end; }
.filters label { display: grid; gap: 0.2rem; font-weight: 600; flex: 1 1 9rem; }
.filters :is(select, input, button) { width: 100%; min-height: 44px; font: inherit; font-weight: 400; padding: 0.4rem 0.6rem; color: inherit; background: var(--raised); border: 1px solid var(--soft); border-radius: var(--radius); }
.filters button { flex: 0 1 auto; width: auto; cursor: pointer; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.8rem; }
.figures > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
.figures dt { color: var(--soft); font-size: 0.9rem; }
.figures dd { margin: 0; font-size: 1.6rem; font-weight: 700; overflow-wrap: anywhere; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 2rem; }
.charts > section { min-width: 0; }
.bars { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.6rem; }
.bars li { display: grid; grid-template-columns: 1fr auto; column-gap: 0.8rem; }
.bars i { grid-column: 1 / -1; height: 0.7rem; min-width: 2px; background: var(--accent); border-radius: 0 4px 4px 0; }
.bars .below { background: repeating-linear-gradient(135deg, var(--accent) 0 3px, transparent 3px 6px); outline: 1px solid var(--accent); outline-offset: -1px; }
@media (prefers-reduced-motion: no-preference) { .bars i { transition: width 200ms; } }
#line svg { display: block; width: 100%; height: auto; overflow: visible; }
#line polyline { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; }
#line line { stroke: var(--line); }
#line circle { fill: var(--accent); }
#line text { fill: var(--soft); font: 13px system-ui, sans-serif; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, :is(select, input):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: start; color: var(--soft); padding-bottom: 0.5rem; }
th, td { text-align: start; padding: 0.55rem 0.7rem; border-bottom: 1px solid var(--line); }
th button { font: inherit; font-weight: 650; min-height: 44px; background: none; border: 0; padding: 0.3rem 0; color: inherit; cursor: pointer; }
th[aria-sort="ascending"] button::after { content: " ↑"; }
th[aria-sort="descending"] button::after { content: " ↓"; }
.number { text-align: end; }
`,
  script: `// Everything shown is computed from data.js. The words, and which figures and charts are worth showing, are yours to choose.
const words = { all: 'All', search: 'Search', measure: 'Measure', group: 'Group', reset: 'Reset', rows: 'Rows', of: 'of', total: 'Total', average: 'Average', week: 'By week', month: 'By month', year: 'By year', decade: 'By decade', century: 'By century', others: 'more', more: 'more rows: narrow them down by the filters.' };
const mostRows = 200;
const mostBars = 12;
const mostPeriods = 120;
const { columns, rows } = data;
const language = document.documentElement.lang || undefined;
const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const small = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
/** Figures of a thousand and more are read without decimals, those below one by their first digits. */
const round = (value) => (Math.abs(value) < 1 ? small : Math.abs(value) < 1000 ? number : whole).format(value);
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat(language, { month: 'short', year: '2-digit', timeZone: 'UTC' });
const writeDay = (value) => (Number.isNaN(Date.parse(value)) ? value : day.format(new Date(value)));
const ofKind = (kind) => columns.flatMap((column, at) => (column.kind === kind ? [at] : []));
const dates = ofKind('date');
const numbers = ofKind('number');
const mostDecimals = 6;
const tiny = new Intl.NumberFormat(language, { maximumSignificantDigits: mostDecimals });

/** A column is written with the decimals it has, and without separators below 10,000, because a number may be a year. */
function formatOf(at) {
  const decimals = rows.reduce((most, row) => Math.max(most, String(row[at] ?? '').split('.')[1]?.length ?? 0), 0);
  const fixed = decimals > mostDecimals ? 0 : decimals;
  return new Intl.NumberFormat(language, { minimumFractionDigits: fixed, maximumFractionDigits: fixed || mostDecimals, useGrouping: 'min2' });
}

const formats = new Map(numbers.map((at) => [at, formatOf(at)]));
const writeNumber = (at, value) => (value !== 0 && Math.abs(value) < 10 ** -mostDecimals ? tiny : formats.get(at)).format(value);
const choices = new Map(ofKind('text').map((at) => [at, [...new Set(rows.map((row) => row[at]))].filter((value) => value !== '').sort((a, b) => a.localeCompare(b))]).filter(([, values]) => values.length > 1 && values.length <= 24));

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function drawSvg(tag, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

const find = (id) => document.getElementById(id);
const form = find('filters');
const label = (text, field) => make('label', {}, text, field);
const choose = (name, options) => make('select', { name }, ...options.map(([value, text]) => make('option', { value }, text)));

for (const [at, values] of choices) form.append(label(columns[at].name, choose('column-' + at, [['', words.all], ...values.map((value) => [value, value])])));
if (numbers.length > 0) form.append(label(words.measure, choose('measure', [...numbers.map((at) => [at, columns[at].name]), ['', words.rows]])));
if (choices.size > 1) form.append(label(words.group, choose('group', [...choices.keys()].map((at) => [at, columns[at].name]))));
form.append(label(words.search, make('input', { name: 'search', type: 'search', autocomplete: 'off' })), make('button', { type: 'reset' }, words.reset));

let order = { column: 0, sign: 1 };
const valueOf = (name) => form.elements[name]?.value ?? '';
const sum = (some, at) => some.reduce((total, row) => total + (at === '' ? 1 : (row[at] ?? 0)), 0);
const write = (at, value) => (value === null ? '' : columns[at].kind === 'number' ? writeNumber(at, value) : columns[at].kind === 'date' ? writeDay(value) : value);

function filter() {
  const search = valueOf('search').trim().toLowerCase();
  const wanted = [...choices.keys()].map((at) => [at, valueOf('column-' + at)]).filter(([, value]) => value !== '');
  return rows.filter((row) => wanted.every(([at, value]) => row[at] === value) && row.join(' ').toLowerCase().includes(search));
}

function showFigures(shown) {
  const figures = [[words.rows, number.format(shown.length)]];
  for (const at of numbers.slice(0, 3)) {
    const filled = shown.filter((row) => row[at] !== null);
    figures.push([words.total + ': ' + columns[at].name, round(sum(filled, at))]);
    if (filled.length > 0) figures.push([words.average + ': ' + columns[at].name, round(sum(filled, at) / filled.length)]);
  }
  find('figures').replaceChildren(...figures.slice(0, 6).map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))));
}

/** Sums of the measure, by what the key says of a row. */
function sumBy(shown, key) {
  const measure = valueOf('measure');
  const sums = new Map();
  for (const row of shown) {
    const name = key(row);
    sums.set(name, (sums.get(name) ?? 0) + sum([row], measure));
  }
  return [...sums];
}

function showBars(shown) {
  const at = Number(valueOf('group') || ([...choices.keys()][0] ?? -1));
  find('bars').parentElement.hidden = !choices.has(at);
  if (!choices.has(at)) return;
  const all = sumBy(shown, (row) => row[at]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const groups = all.slice(0, mostBars).sort((a, b) => b[1] - a[1]);
  const others = all.slice(mostBars);
  const most = Math.max(...groups.map(([, value]) => Math.abs(value)), 1e-9);
  find('bars-title').textContent = (columns[valueOf('measure')]?.name ?? words.rows) + ': ' + columns[at].name;
  const bars = groups.map(([name, value]) => {
    const bar = make('i', { 'aria-hidden': 'true', ...(value < 0 && { class: 'below' }) });
    bar.style.width = (Math.abs(value) / most) * 100 + '%';
    return make('li', {}, make('span', {}, name || '–'), make('span', {}, round(value)), bar);
  });
  // Groups without a bar are counted, with their sum: a reader would take the bars for everything.
  const rest = others.reduce((total, [, value]) => total + value, 0);
  if (others.length > 0) bars.push(make('li', {}, make('span', {}, number.format(others.length) + ' ' + words.others), make('span', {}, round(rest))));
  find('bars').replaceChildren(...bars);
}

/** What a point of the line covers: a week, or a count of months. */
const periods = [
  { title: words.week, months: 0, name: (time) => day.format(time) },
  { title: words.month, months: 1, name: (time) => short.format(time) },
  ...[[words.year, 12], [words.decade, 120], [words.century, 1200]].map(([title, months]) => ({ title, months, name: (time) => String(new Date(time).getUTCFullYear()) })),
];
const week = 7 * 86400000;
/** Counted from the year 0. Date.UTC would take the years before 100 for those of 1900. */
const timeOfMonth = (month) => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);

function monthOf(time) {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The Monday of a week, or the first of the months. */
function beginOf(time, { months }) {
  if (months === 0) return time - (((time % week) + week - 4 * 86400000) % week);
  return timeOfMonth(monthOf(time) - (monthOf(time) % months));
}

/** The shortest periods of which there are few enough to draw and to name; weeks only within four months. */
function choosePeriod(first, last) {
  if (last - first < 120 * 86400000) return periods[0];
  return periods.find(({ months }) => months > 0 && (monthOf(last) - monthOf(first)) / months < mostPeriods) ?? periods.at(-1);
}

/** Every period from the first to the last, also those in which nothing was. */
function listPeriods(first, last, period) {
  const begins = [];
  const next = (time) => (period.months === 0 ? time + week : timeOfMonth(monthOf(time) + period.months));
  for (let time = beginOf(first, period); time <= last; time = next(time)) begins.push(time);
  return begins;
}

function showLine(all) {
  const timeOf = (row) => Date.parse(row[dates[0]]);
  const shown = dates.length > 0 ? all.filter((row) => !Number.isNaN(timeOf(row))) : [];
  find('time').hidden = shown.length === 0;
  if (shown.length === 0) return;
  const [first, last] = shown.map(timeOf).reduce(([least, most], time) => [Math.min(least, time), Math.max(most, time)], [Infinity, -Infinity]);
  const period = choosePeriod(first, last);
  const sums = new Map(sumBy(shown, (row) => beginOf(timeOf(row), period)));
  const points = listPeriods(first, last, period).map((time) => [time, sums.get(time) ?? 0]);
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const [left, top, width, height] = [8, 24, 584, 200];
  const place = ([, value], at) => [left + (points.length > 1 ? (at / (points.length - 1)) * width : width / 2), top + height - ((value - low) / (high - low)) * height];
  const places = points.map(place);
  const peak = values.indexOf(Math.max(...values));
  const title = (columns[valueOf('measure')]?.name ?? words.rows) + ': ' + period.title;
  const svg = drawSvg('svg', { viewBox: '0 0 600 256', role: 'img', 'aria-label': title + '. ' + points.map(([time, value]) => period.name(time) + ': ' + round(value)).join('; ') });
  const [, zero] = place([0, 0], 0);
  svg.append(drawSvg('line', { x1: left, x2: left + width, y1: zero, y2: zero }), drawSvg('polyline', { points: places.map((each) => each.join()).join(' ') }));
  for (const at of new Set([peak, points.length - 1])) {
    const [x, y] = places[at];
    const anchor = x > 500 ? 'end' : x < 100 ? 'start' : 'middle';
    svg.append(drawSvg('circle', { cx: x, cy: y, r: 4 }), drawSvg('text', { x, y: y - 9, 'text-anchor': anchor }, round(values[at])));
  }
  svg.append(drawSvg('text', { x: left, y: 250 }, period.name(points[0][0])), drawSvg('text', { x: left + width, y: 250, 'text-anchor': 'end' }, period.name(points.at(-1)[0])));
  find('line-title').textContent = title;
  find('line').replaceChildren(svg);
}

function compare(a, b) {
  const [x, y] = [a[order.column], b[order.column]];
  if (x === null || y === null) return (x === null) - (y === null);
  return order.sign * (typeof x === 'number' ? x - y : x.localeCompare(y));
}

function showTable(shown) {
  const cell = (value, at) => make('td', columns[at].kind === 'number' ? { class: 'number' } : {}, write(at, value));
  const lines = shown.toSorted(compare).slice(0, mostRows).map((row) => make('tr', {}, ...row.map(cell)));
  document.querySelector('#table tbody').replaceChildren(...lines);
  find('rest').textContent = shown.length > mostRows ? number.format(shown.length - mostRows) + ' ' + words.more : '';
  document.querySelectorAll('#table th').forEach((head, at) => head.setAttribute('aria-sort', at !== order.column ? 'none' : order.sign > 0 ? 'ascending' : 'descending'));
}

function show() {
  const shown = filter();
  find('count').textContent = number.format(shown.length) + ' ' + words.of + ' ' + number.format(rows.length);
  showFigures(shown);
  showBars(shown);
  showLine(shown);
  showTable(shown);
}

const heads = columns.map(({ name, kind }, at) => {
  const button = make('button', { type: 'button' }, name);
  button.addEventListener('click', () => {
    order = { column: at, sign: order.column === at ? -order.sign : 1 };
    show();
  });
  return make('th', { scope: 'col', ...(kind === 'number' && { class: 'number' }) }, button);
});
document.querySelector('#table thead').append(make('tr', {}, ...heads));
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', show);
form.addEventListener('reset', () => setTimeout(show));
show();
`,
};
