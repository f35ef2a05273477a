import { pause, type Clock } from '@errand/base/clock.ts';
import { type Model, type ModelCallOptions, ModelFault, type ModelReply, type ModelRequest } from '../../src/models/model.ts';
import type { ModelPart } from '../../src/rules/events/task-event.ts';
import { askUser } from '../../src/tools/tasks/ask-user.ts';
import { type Tool, type ToolEffect } from '../../src/tools/toolbox/tool.ts';
import { updatePlan } from '../../src/tools/tasks/update-plan.ts';
import type { Chance } from './sim-chance.ts';
import { plainTool } from '../support/tasks/agent-under-test.ts';

/** How often a call of each tool was run, and after the end of which of them it was run again. */
export class ToolRuns {
  readonly counts = new Map<string, number>();

  note(callId: string): void {
    this.counts.set(callId, (this.counts.get(callId) ?? 0) + 1);
  }
}

const usage = { input: 7, output: 3, cached: 0 };

function sideEffect(name: string, effect: ToolEffect, clock: Clock, chance: Chance, runs: ToolRuns): Tool {
  return plainTool(name, effect, async ({ callId, signal }) => {
    runs.note(callId);
    await pause(clock, chance.below(4000), signal);
    signal.throwIfAborted();
    return { status: chance.is(0.1) ? 'error' : 'success', output: `output of ${callId}` };
  });
}

/** Tools of each kind that take their time. */
export function makeTools(clock: Clock, chance: Chance, runs: ToolRuns): Tool[] {
  const make = (name: string, effect: ToolEffect) => sideEffect(name, effect, clock, chance, runs);
  return [askUser, updatePlan, make('read', 'retry'), make('publish', 'keyed'), make('send', 'once')];
}

/** A model that takes its time and answers anything a model may answer, or nothing. */
export class ErraticModel implements Model {
  readonly name = 'test/erratic';
  readonly window = 100_000;
  readonly outputLimit = 8000;
  readonly price = { input: 90_000, output: 400_000 };
  readonly #clock: Clock;
  readonly #chance: Chance;
  /** Off in the tail of a run, when everything has to come to its end. */
  isErratic = true;
  #calls = 0;

  constructor(clock: Clock, chance: Chance) {
    this.#clock = clock;
    this.#chance = chance;
  }

  async call(request: ModelRequest, { signal, onText }: ModelCallOptions): Promise<ModelReply> {
    await pause(this.#clock, this.#chance.below(8000), signal);
    signal.throwIfAborted();
    onText('…');
    if (this.isErratic && this.#chance.is(0.1)) throw this.#makeFault();
    if (request.outputSchema) return this.#extract(request);
    const isOver = !this.isErratic || request.transcript.length > 12 || this.#chance.is(0.3);
    return { parts: isOver ? [{ type: 'text', text: 'Done.' }] : this.#makeParts(request), usage };
  }

  #makeFault(): ModelFault {
    const kind = this.#chance.pick(['refused', 'overloaded', 'unavailable', 'malformed'] as const) ?? 'refused';
    return new ModelFault(kind, kind, this.#chance.is(0.2) ? { retryAfterMs: this.#chance.below(60_000) } : {});
  }

  #extract({ outputSchema = {} }: ModelRequest): ModelReply {
    const [name = ''] = Object.keys(outputSchema.properties ?? {});
    const text = this.#chance.is(0.3) ? 'not JSON' : JSON.stringify({ [name]: 'found' });
    return { parts: [{ type: 'text', text }], usage };
  }

  #makeParts({ tools }: ModelRequest): ModelPart[] {
    this.#calls += 1;
    const canAsk = tools.some(({ name }) => name === 'ask_user');
    return Array.from({ length: 1 + this.#chance.below(3) }, (_, index): ModelPart => {
      const tool = this.#chance.pick(['read', 'publish', 'send', 'update_plan', ...(canAsk ? ['ask_user'] : [])]) ?? 'read';
      const steps = [{ title: `step ${this.#calls}`, status: 'doing' }];
      const input = tool === 'ask_user' ? { question: 'Which?' } : tool === 'update_plan' ? { steps } : {};
      return { type: 'call', id: `call-${this.#calls}-${index}`, tool, input };
    });
  }
}
