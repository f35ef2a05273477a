import { z } from 'zod';
import { defineOperation } from '../contract/operation.ts';

export const browserOnlineList = defineOperation('GET', 'browser.onlineList', {
  summary: "Lists the user's connected browsers.",
  details: 'Browsers cannot connect to this service, so the list is always empty.',
  access: 'browsers',
  request: z.object({}),
  response: z.object({ data: z.array(z.object({ client_id: z.string(), client_name: z.string(), ua: z.string() })) }),
  handle: () => Promise.resolve({ data: [] }),
});
