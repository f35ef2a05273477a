import { expect, it } from 'vitest';
import { TestClock } from '../../test/support/base/test-clock.ts';
import { CurrentModels } from './current-models.ts';
import { type OpenedProfiles, openProfiles } from './model-registry.ts';

const open = (model: string): OpenedProfiles => openProfiles({ model }, {}, 'offline/offline-1');

/** Settings whose reads the test ends one by one. */
class Settings {
  readonly reads: ((result: string | Error) => void)[] = [];

  readonly load = () =>
    new Promise<OpenedProfiles>((resolve, reject) => {
      this.reads.push((result) => (typeof result === 'string' ? resolve(open(result)) : reject(result)));
    });
}

async function follow(clock = new TestClock()) {
  const settings = new Settings();
  const models = new CurrentModels(open('ollama/old'), clock);
  const following = models.follow(settings.load);
  settings.reads[0]?.('ollama/first');
  await following;
  return { models, reads: settings.reads };
}

it('a call waits for models that are being changed, and reads nothing otherwise', async () => {
  const { models, reads } = await follow();
  await models.settle();
  expect([models.get('service-1.6').name, reads.length]).toEqual(['ollama/first', 1]);
  models.refresh();
  const settled = models.settle();
  reads[1]?.('ollama/second');
  await settled;
  expect([models.get('service-1.6-max').name, models.get('unknown').name]).toEqual(['ollama/second', 'ollama/second']);
});

it('a change during a read is read as well, and several changes once', async () => {
  const { models, reads } = await follow();
  models.refresh();
  models.refresh();
  models.refresh();
  const settled = models.settle();
  reads[1]?.('ollama/stale');
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.('ollama/newest');
  await settled;
  expect([models.get('service-1.6').name, reads.length]).toEqual(['ollama/newest', 3]);
});

it('models stay in use if the settings cannot be read, until the next attempt after half a minute', async () => {
  const clock = new TestClock();
  const { models, reads } = await follow(clock);
  models.refresh();
  reads[1]?.(new Error('no database'));
  await models.settle();
  expect(models.get('service-1.6').name).toBe('ollama/first');
  await clock.advance(29_000);
  await models.settle();
  expect(reads).toHaveLength(2);
  await clock.advance(1_000);
  const settled = models.settle();
  reads[2]?.('ollama/again');
  await settled;
  expect(models.get('service-1.6').name).toBe('ollama/again');
});
