import { describe, expect, it } from 'vitest';
import { AgentUnderTest, type AgentOptions, call, inTurn, reply, say } from '../../../test/support/tasks/agent-under-test.ts';
import { ModelFault } from '../../models/model.ts';
import type { Transcriber } from '../../models/speech/transcriber.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import { expectBlob } from '../../store/blobs/blob-references.ts';

const mp3 = Buffer.from('ID3\x04\0\0\0\0\0\0');

function voice(name: string, bytes = mp3.length): Attachment {
  return { kind: 'voice', filename: name, contentType: 'audio/mpeg', blobId: name, bytes };
}

/** An agent whose user speaks; each recording yields the next of `words`, where `!` marks a failure. */
class Listening extends AgentUnderTest {
  received: string[] = [];

  static async create(options: AgentOptions, words: (string | ModelFault)[] | null, bytes: Buffer = mp3): Promise<Listening> {
    const agent = new Listening(options);
    const transcriber: Transcriber = {
      name: 'test/ear',
      maxBytes: 1000,
      transcribe: ({ mediaType }) => {
        const next = words?.shift() ?? 'nothing left';
        agent.received.push(mediaType);
        return next instanceof ModelFault ? Promise.reject(next) : Promise.resolve(next);
      },
    };
    Object.assign(agent.ports, {
      findTranscriber: () => words && transcriber,
      openAttachment: () =>
        Promise.resolve(
          (async function* () {
            yield bytes;
          })(),
        ),
    });
    await agent.create('');
    return agent;
  }

  /** A message of the user with stored files. */
  async speak(text: string, ...attachments: Attachment[]): Promise<void> {
    const { accountId } = this.task;
    for (const { blobId } of attachments) await this.database.run(expectBlob, { accountId, blobId, graceMs: 60_000 });
    await this.say(text, { kind: 'voice', attachments });
  }

  /** What the model read in its newest request, one line per text or result. */
  get read(): string {
    const entries = this.model.requests.at(-1)?.transcript ?? [];
    return entries
      .flatMap((entry) => {
        if (entry.role === 'user') {
          const spoken = (entry.attachments ?? []).map(({ transcription }) => JSON.stringify(transcription));
          return [`user ${entry.text}`, ...spoken];
        }
        return entry.role === 'tool' ? entry.results.map(({ output }) => `result ${output}`) : [];
      })
      .join('\n');
  }
}

describe('a voice message', () => {
  it('is transcribed once, before the model reads the message with the transcript', async () => {
    const agent = await Listening.create({ script: inTurn(say('Done.'), say('Again.')) }, ['Buy milk.']);
    await agent.speak('By the way:', voice('memo.mp3'));
    await agent.drive();
    expect(agent.read).toContain('{"text":"Buy milk."}');
    expect(agent.received).toEqual(['audio/mpeg']);
    const types = await agent.readTypes();
    expect(types.indexOf('voice_transcribed')).toBeLessThan(types.indexOf('model_started'));
    await agent.say('More.');
    await agent.drive();
    expect([agent.received.length, agent.read.includes('Buy milk.')]).toEqual([1, true]);
  });

  it('that arrives during a model call is transcribed before the next step', async () => {
    const agent: Listening = await Listening.create(
      {
        script: async ({ transcript }) => {
          if (transcript.some(({ role }) => role === 'assistant')) return say('Heard it.');
          await agent.speak('', voice('late.mp3'));
          return say('Too early.');
        },
      },
      ['Wait for me.'],
    );
    await agent.drive();
    expect(agent.model.requests).toHaveLength(2);
    expect(agent.read).toContain('{"text":"Wait for me."}');
  });

  it('can answer a question: its transcript is the result of the call', async () => {
    const ask = reply(call('ask_user', 'q', { question: 'Which?' }));
    const agent = await Listening.create({ script: inTurn(ask, say('Thanks.')), isInteractive: true }, ['The red one.']);
    await agent.drive();
    await agent.speak('', voice('answer.mp3'));
    await agent.drive();
    expect(agent.read).toMatch(/result [^]*answer\.mp3[^]*The user says in attachments\/answer\.mp3:\nThe red one\./);
  });

  it.each([
    ['no model for it is configured', null, mp3, 'no speech model is configured'],
    ['it is not a recording', ['x'], Buffer.from('%PDF-1.7'), 'it is no recording of a known format'],
    ['the provider rejects it', [new ModelFault('refused', 'test/ear: no')], mp3, 'test/ear: no'],
  ])('is left to tools, with the reason reported to the model, if %s', async (_, words, bytes, problem) => {
    const agent = await Listening.create({ script: inTurn(say('Done.')) }, words, bytes);
    await agent.speak('', voice('memo.mp3'));
    await agent.drive();
    expect(agent.read).toContain(JSON.stringify({ problem }));
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('is tried three times if the provider is unavailable, and not sent at all if it is too large', async () => {
    const away = () => new ModelFault('unavailable', 'test/ear: away');
    const back = await Listening.create({ script: inTurn(say('Done.')) }, [away(), away(), 'Back.']);
    await back.speak('', voice('memo.mp3'), voice('long.mp3', 5000));
    await back.drive();
    expect(back.read).toContain('{"text":"Back."}');
    expect(back.read).toMatch(/it has more than/);
    const gone = await Listening.create({ script: inTurn(say('Done.')) }, [away(), away(), away(), 'never']);
    await gone.speak('', voice('memo.mp3'));
    await gone.drive();
    expect([gone.received.length, gone.read.includes('test/ear: away')]).toEqual([3, true]);
  });
});
