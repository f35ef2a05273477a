import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SampleArtifact } from './artifact-samples.ts';
import {
  evict,
  expectPage,
  type Model,
  minuteMs,
  type Page,
  questions,
  type ListCursorModel,
  type Real,
  take,
} from './library-model.ts';

type Command = fc.AsyncCommand<Model, Real>;

class Begin implements Command {
  readonly question: number;
  constructor(question: number) {
    this.question = question;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const { question } = this;
    const { now } = model;
    const wanted = expectPage(model, question, null, new Map());
    const [shown, shownResources] = [new Map<string, number>(), new Map<string, number>()];
    const listCursor: ListCursorModel = {
      question,
      startedAt: now,
      usedAt: now,
      use: 0,
      pages: [],
      shown,
      shownResources,
      isEvicted: false,
    };
    take(model, listCursor, 1, wanted, await real.ask(question, null, now));
    if (wanted.position === null) return;
    model.listCursors.push(listCursor);
    evict(model);
  }
  toString = () => `begin(${this.question})`;
}

/** Many concurrent cursors, so that the oldest are evicted. */
class Flood implements Command {
  check = ({ listCursors }: Readonly<Model>) => listCursors.length < 45;
  async run(model: Model, real: Real): Promise<void> {
    for (let count = 0; count < 15; count += 1) await new Begin(0).run(model, real);
  }
  toString = () => 'flood';
}

/** How a cursor is used: unchanged, with another query, or with a changed letter. */
type Manner = 'honest' | 'other question' | 'changed letter';

class Turn implements Command {
  readonly which: number;
  readonly back: number;
  readonly manner: Manner;
  constructor(which: number, back: number, manner: Manner) {
    this.which = which;
    this.back = back;
    this.manner = manner;
  }
  check = ({ listCursors }: Readonly<Model>) => listCursors.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const listCursor = model.listCursors[this.which % model.listCursors.length];
    if (!listCursor) return;
    const cursors = listCursor.pages.flatMap(({ cursor }, index) => (cursor === null ? [] : [{ cursor, number: index + 2 }]));
    const asked = cursors.at(-1 - (this.back % cursors.length));
    if (!asked) return;
    if (this.manner !== 'honest') return this.#cheat(model, real, listCursor, asked.cursor);
    const answer = await real.ask(listCursor.question, asked.cursor, model.now);
    const wanted = this.#check(model, listCursor, asked.number);
    if (typeof wanted === 'string') return assert.equal(answer, wanted);
    take(model, listCursor, asked.number, wanted, answer);
  }
  async #cheat(model: Model, real: Real, listCursor: ListCursorModel, cursor: string): Promise<void> {
    const at = this.back % cursor.length;
    const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    const isOther = this.manner === 'other question';
    const question = isOther ? (listCursor.question + 1) % questions.length : listCursor.question;
    assert.equal(await real.ask(question, isOther ? cursor : changed, model.now), 'invalid_argument');
  }
  #check(model: Model, listCursor: ListCursorModel, number: number): Page | string {
    const { now } = model;
    if (listCursor.isEvicted || now - listCursor.usedAt >= 5 * minuteMs || now - listCursor.startedAt >= 15 * minuteMs)
      return 'invalid_argument';
    const produced = listCursor.pages.length;
    if (number > produced)
      return expectPage(model, listCursor.question, listCursor.pages.at(-1)?.position ?? null, listCursor.shownResources);
    if (number <= produced - 3) return 'invalid_argument';
    const page = listCursor.pages[number - 1];
    const left = page?.ids.filter((id) => model.library.some((artifact) => artifact.id === id)) ?? [];
    return { ids: left, cursor: null, position: page?.position ?? null };
  }
  toString = () => `turn(${this.which}, ${this.back}, ${this.manner})`;
}

/** Continues with the newest cursor, page after page, with a pause before each. */
class March implements Command {
  readonly which: number;
  readonly pages: number;
  readonly pauseMs: number;
  constructor(which: number, pages: number, pauseMs: number) {
    this.which = which;
    this.pages = pages;
    this.pauseMs = pauseMs;
  }
  check = ({ listCursors }: Readonly<Model>) => listCursors.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    for (let page = 0; page < this.pages; page += 1) {
      model.now += this.pauseMs;
      await new Turn(this.which, 0, 'honest').run(model, real);
    }
  }
  toString = () => `march(${this.which}, ${this.pages}, ${this.pauseMs})`;
}

class Insert implements Command {
  readonly changes: Partial<SampleArtifact>;
  constructor(changes: Partial<SampleArtifact>) {
    this.changes = changes;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    model.library.push(await real.insert(this.changes));
  }
  toString = () => `insert(${JSON.stringify(this.changes)})`;
}

class Remove implements Command {
  readonly which: number;
  constructor(which: number) {
    this.which = which;
  }
  check = ({ library }: Readonly<Model>) => library.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const [gone] = model.library.splice(this.which % model.library.length, 1);
    if (gone) await real.remove(gone.id);
  }
  toString = () => `remove(${this.which})`;
}

class Wait implements Command {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = () => true;
  run(model: Model): Promise<void> {
    model.now += this.ms;
    return Promise.resolve();
  }
  toString = () => `wait(${this.ms})`;
}

/** Everything that can happen in a library. */
export const commands = [
  fc.nat({ max: questions.length - 1 }).map((question) => new Begin(question)),
  fc.tuple(fc.nat(), fc.nat({ max: 5 })).map(([which, back]) => new Turn(which, back, 'honest')),
  fc.tuple(fc.nat(), fc.nat({ max: 1 })).map(([which, back]) => new Turn(which, back, 'honest')),
  fc
    .tuple(fc.nat(), fc.nat({ max: 80 }), fc.constantFrom<Manner>('other question', 'changed letter'))
    .map((cheat) => new Turn(...cheat)),
  fc
    .record({
      filename: fc.constantFrom('report.pdf', 'Report.md'.toLowerCase(), 'scene.png', 'data.csv', 'tree.jpg'),
      apiKeyId: fc.constantFrom(null, 'k1'),
      resourceUri: fc.constantFrom(null, null, null, 'addon://a', 'addon://b'),
    })
    .map((changes) => new Insert(changes)),
  fc.nat().map((which) => new Remove(which)),
  fc.constant(new Flood()),
  fc
    .tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 0, 3.75 * minuteMs))
    .map((march) => new March(...march)),
  fc.constantFrom(1000, minuteMs, 5 * minuteMs - 1, 5 * minuteMs).map((ms) => new Wait(ms)),
];
