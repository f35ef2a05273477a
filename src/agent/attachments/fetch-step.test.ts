import { describe, expect, it } from 'vitest';
import { AgentUnderTest, inTurn, say } from '../../../test/support/tasks/agent-under-test.ts';
import type { ModelReply } from '../../models/model.ts';
import { describeEntry } from '../../rules/messages/attachment-place.ts';
import type { AwaitedFile, Attachment } from '../../rules/events/task-event.ts';
import { expectBlob } from '../../store/blobs/blob-references.ts';

function late(id: string): AwaitedFile {
  return { id, kind: 'file', filename: `${id}.pdf`, contentType: null, sealedUrl: `sealed ${id}` };
}

/** An agent whose user sends files by URL; those whose names begin with `bad` cannot be fetched. */
class Fetching extends AgentUnderTest {
  fetched: string[] = [];
  /** Runs before each fetch ends. */
  beforeEnd: () => Promise<void> = () => Promise.resolve();

  /** Begins with a message without files. */
  static start(...replies: ModelReply[]): Promise<Fetching> {
    return new Fetching({ script: inTurn(...replies) }).begin();
  }

  begin(): Promise<this> {
    Object.assign(this.ports, {
      fetchFile: async (accountId: string, { id, sealedUrl }: AwaitedFile) => {
        this.fetched.push(sealedUrl);
        await this.beforeEnd();
        if (id.startsWith('bad')) return { attachment: null, problem: 'the server answered with status 404' };
        const blobId = `${id} ${this.fetched.length}`;
        await this.database.run(expectBlob, { accountId, blobId, graceMs: 60_000 });
        const attachment: Attachment = { kind: 'file', filename: `${id}.pdf`, contentType: 'application/pdf', blobId, bytes: 5 };
        return { attachment, problem: null };
      },
    });
    return this.create('First.');
  }

  /** The newest request, one line per message as the model reads it. */
  get read(): string {
    const entries = this.model.requests.at(-1)?.transcript ?? [];
    return entries.flatMap((entry) => (entry.role === 'user' ? [describeEntry(entry)] : [])).join('\n');
  }
}

describe('a file that had not arrived when its message was answered', () => {
  it('is fetched once, before the model reads the message', async () => {
    const agent = await Fetching.start(say('Done.'), say('Again.'));
    await agent.say('Read it.', { awaited: [late('a')] });
    await agent.drive();
    expect(agent.model.requests).toHaveLength(1);
    expect(agent.read).toMatch(/Read it\.[^]*attachments\/a\.pdf \(application\/pdf, 5 bytes\)/);
    const types = await agent.readTypes();
    expect(types.indexOf('file_fetched')).toBeLessThan(types.indexOf('model_started'));
    await agent.say('More.');
    await agent.drive();
    expect(agent.fetched).toEqual(['sealed a']);
  });

  it('that cannot be fetched is explained to the model, which works with the others', async () => {
    const agent = await Fetching.start(say('Done.'));
    await agent.say('Read them.', { awaited: [late('bad'), late('b')] });
    await agent.drive();
    expect(agent.read).toContain('bad.pdf could not be fetched from its URL: the server answered with status 404');
    expect(agent.read).toContain('attachments/b.pdf');
  });

  it('is fetched anew by the worker that takes the task over', async () => {
    const agent = await Fetching.start(say('Done.'));
    await agent.say('Read it.', { awaited: [late('a')] });
    agent.beforeEnd = () => Promise.reject(new Error('the worker dies'));
    await expect(agent.drive()).rejects.toThrow('the worker dies');
    agent.beforeEnd = () => Promise.resolve();
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(agent.fetched).toEqual(['sealed a', 'sealed a']);
    expect(agent.read).toContain('attachments/a.pdf');
  });

  it('is fetched before the next turn if the task is stopped meanwhile', async () => {
    const agent = await Fetching.start(say('Done.'));
    await agent.say('Read it.', { awaited: [late('a')] });
    agent.beforeEnd = async () => void (await agent.stop());
    await expect(agent.drive()).rejects.toThrow();
    expect(await agent.readStatus()).toBe('stopped');
    agent.beforeEnd = () => Promise.resolve();
    await agent.say('Now.');
    await agent.drive();
    expect(agent.read).toMatch(/Read it\.[^]*Now\.[^]*attachments\/a\.pdf/);
  });

  it('that comes just before a model call, which reads the message without it, is fetched and answered before the turn ends', async () => {
    const agent = await Fetching.start(say('I see no file.'), say('Read.'));
    const lease = await agent.take();
    const journal = await agent.openJournal(lease);
    await agent.say('And this.', { awaited: [late('a')] });
    await journal.append([{ type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 }]);
    journal.close();
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(agent.fetched).toEqual(['sealed a']);
    expect(agent.read).toContain('attachments/a.pdf');
  });

  it('that comes during a model call is fetched before the next step', async () => {
    const agent = new Fetching({
      script: async ({ transcript }) => {
        if (transcript.some(({ role }) => role === 'assistant')) return say('Read.');
        await agent.say('Also this.', { awaited: [late('a')] });
        return say('Too early.');
      },
    });
    await agent.begin();
    await agent.drive();
    expect(agent.model.requests).toHaveLength(2);
    expect(agent.read).toContain('attachments/a.pdf');
  });
});
