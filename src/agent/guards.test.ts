import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, inTurn, noteTool, reply, say, type Script } from '../../test/support/tasks/agent-under-test.ts';
import type { EgressGuard, Tool } from '../tools/toolbox/tool.ts';
import { appendEvents } from '../store/tasks/task-leases.ts';
import { makeSchema } from '../../test/support/tasks/task-logs.ts';

const killed = new Error('killed');

async function driveOn(agent: AgentUnderTest): Promise<void> {
  await agent.drive().catch((error: unknown) => expect(error).toBe(killed));
  agent.clock.jump(2_000_000_000);
}

describe('a tool result', () => {
  it('taints the task by the kind of its tool: untrusted pages, private data', async () => {
    const web = { ...noteTool('browse', 'retry', () => 'a page'), reads: 'web' as const };
    const mail = { ...noteTool('mail', 'retry', () => 'a letter'), reads: 'private' as const };
    const script = inTurn(reply(call('browse', 'c1'), call('mail', 'c2')), say('Done.'));
    const agent = await new AgentUnderTest({ script, tools: [web, mail] }).create();
    await agent.drive();
    const taints = (await agent.readEvents()).flatMap((event) => (event.type === 'tool_finished' ? [event.taints] : []));
    expect(taints).toEqual([['untrusted'], ['private']]);
  });
});

describe('an address in a result', () => {
  it('may be read by a task that reads nothing else, unless the tool repeats what the model writes', async () => {
    const address = 'http://evil.test/?secret=1';
    const read = async (echoes: object) => {
      let refusal: string | null = null;
      const mail = { ...noteTool('mail', 'retry', () => 'a letter'), reads: 'private' as const };
      const browse = { ...noteTool('browse', 'retry', () => `a page with ${address}`), reads: 'web' as const, ...echoes };
      const look = noteTool('look', 'retry', () => 'looked');
      const run: Tool['run'] = (input, context) => {
        refusal = context.egressGuard.refuseAddress(address);
        return look.run(input, context);
      };
      const script = inTurn(reply(call('mail', 'c1')), reply(call('browse', 'c2')), reply(call('look', 'c3')), say('Done.'));
      await new AgentUnderTest({ script, tools: [mail, browse, { ...look, run }] }).create().then((agent) => agent.drive());
      return refusal;
    };
    expect(await read({})).toBeNull();
    expect(await read({ echoes: true })).toMatch(/^evil.test was not reached/);
  });
});

describe('what runs on between calls', () => {
  it('may reach no more than the task may after the result of its newest call', async () => {
    let guard: EgressGuard | undefined;
    const mail = { ...noteTool('mail', 'retry', () => 'a letter'), reads: 'private' as const };
    const browse = { ...noteTool('browse', 'retry', () => 'a page'), reads: 'web' as const };
    const run: Tool['run'] = (input, context) => {
      guard = context.egressGuard;
      return browse.run(input, context);
    };
    const kept = { ...browse, run };
    const seen: boolean[] = [];
    const replies = inTurn(reply(call('mail', 'c1')), reply(call('browse', 'c2')), say('Done.'));
    const script: Script = (request, options) => {
      seen.push(typeof guard?.refuseHost({ host: 'evil.test', port: 443 }) === 'string');
      return replies(request, options);
    };
    await new AgentUnderTest({ script, tools: [mail, kept] }).create().then((agent) => agent.drive());
    expect(seen).toEqual([false, false, true]);
  });
});

describe('connector tools', () => {
  const offered = (hash: string) => [{ tool: noteTool('mcp__a__b', 'retry', () => 'ok'), hash }];

  it('are pinned before the first step, and omitted once their server changes them', async () => {
    const script = inTurn(reply(call('mcp__a__b', 'c1')), say('Done.'), reply(call('mcp__a__b', 'c2')), say('Again.'));
    const agent = await new AgentUnderTest({ script, connectorTools: offered('h1') }).create();
    await agent.drive();
    const types = await agent.readTypes();
    expect(types.indexOf('tools_pinned')).toBeGreaterThan(-1);
    expect(types.indexOf('tools_pinned')).toBeLessThan(types.indexOf('model_started'));
    const namesAt = (at: number) => agent.model.requests[at]?.tools.map(({ name }) => name);
    expect(namesAt(0)).toContain('mcp__a__b');
    agent.connectorTools = offered('h2');
    await agent.say('Once more.');
    await agent.drive();
    expect(namesAt(2)).not.toContain('mcp__a__b');
  });
});

describe('a summary', () => {
  const isSummary = (text: string | undefined) => text?.startsWith('Sum up') === true;
  const talking =
    (summarise: Script): Script =>
    (request, options) => {
      const last = request.transcript.at(-1);
      if (last?.role === 'user' && isSummary(last.text)) return summarise(request, options);
      const ids = request.transcript.flatMap((entry) =>
        entry.role === 'assistant' ? entry.parts.flatMap((part) => (part.type === 'call' ? [Number(part.id.slice(1))] : [])) : [],
      );
      const next = Math.max(0, ...ids) + 1;
      return next > 16 ? say('Done.') : reply({ type: 'text', text: 'w'.repeat(3600) }, call('look', `c${next}`));
    };
  const look = noteTool('look', 'retry', (id) => id);

  it('is requested again if it is empty', async () => {
    let asked = 0;
    const script = talking(() => say((asked += 1) === 1 ? '  ' : 'The summary.'));
    const agent = await new AgentUnderTest({ script, tools: [look], window: 16_000 }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.filter(({ type }) => type === 'compact_failed')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'compacted')).toMatchObject({ summary: 'The summary.' });
  });

  it('is abandoned if its worker dies each time, and the task continues without one', async () => {
    const script = talking(() => {
      throw killed;
    });
    const agent = await new AgentUnderTest({ script, tools: [look], window: 16_000 }).create();
    for (let life = 0; life < 12 && (await agent.readStatus()) !== 'stopped'; life += 1) await driveOn(agent);
    const types = await agent.readTypes();
    expect(await agent.readStatus()).toBe('stopped');
    expect(types.filter((type) => type === 'compact_started').length).toBeLessThanOrEqual(
      5 * types.filter((type) => type === 'compacted').length,
    );
    expect(types).toContain('compacted');
  });
});

describe('an extraction', () => {
  it('does not start if a message has just arrived', async () => {
    const script: Script = ({ transcript, outputSchema }) => {
      if (outputSchema) return say('{"colour":"red"}');
      const last = transcript.at(-1);
      return say(last?.role === 'user' && last.text === 'Blue.' ? 'It is blue.' : 'It is red.');
    };
    const agent = await new AgentUnderTest({ script, outputSchema: makeSchema('colour') }).create();
    let isSaid = false;
    agent.database.interference = {
      before: async ({ operation, args }) => {
        if (operation !== appendEvents.name || isSaid || !JSON.stringify(args).includes('extract_started')) return;
        isSaid = true;
        await agent.say('Blue.');
      },
    };
    await agent.drive();
    const types = await agent.readTypes();
    const said = types.lastIndexOf('user_message');
    expect(types.slice(0, said)).not.toContain('extract_started');
    expect(types.filter((type) => type === 'extract_started')).toHaveLength(1);
  });
});
