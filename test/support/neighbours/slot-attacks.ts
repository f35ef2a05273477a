import { isEnd } from '../service/service-client.ts';
import type { Attack } from './attack.ts';
import { Crew } from './crew.ts';
import { RequestFlood } from './request-flood.ts';
import { addMessages } from './talkative.ts';

/** How many of an account's fetches are carried out at the same time. */
export const fetchesOfOne = 8;

/** Many more fetches than there are slots, of a server that does not answer. */
export const heldFetches: Attack = {
  name: 'held fetches',
  async begin({ hostile, outside }) {
    outside.reset();
    const crew = new Crew(hostile, `fetch ${outside.url}/hold`, 5 * fetchesOfOne);
    await outside.waitForHeld(fetchesOfOne);
    return crew;
  },
};

/** Searches through everything that the hostile account has ever written, one beside the other. */
export const searches: Attack = {
  name: 'searches',
  async begin({ service, databaseUrl, hostile, hostileKey, messages }) {
    const taskId = await hostile.createTask('say well');
    await hostile.follow(taskId, isEnd);
    await addMessages(service, databaseUrl, taskId, messages);
    const flood = new RequestFlood(16, async (signal) => {
      const url = `${service.url}/v1/tasks?query=absent`;
      const response = await fetch(url, { headers: { API_KEY: hostileKey }, signal });
      await response.text();
      return String(response.status);
    });
    await flood.waitForOutcomes(1);
    return flood;
  },
};
