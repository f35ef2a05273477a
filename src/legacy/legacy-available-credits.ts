import { z } from 'zod';
import { availableCreditsFields, readAvailableCredits } from '../api/credits/available-credits-fields.ts';
import { defineLegacy } from './legacy-operation.ts';

/** The result of usage.availableCredits, at the URL that some early clients use (docs/reference/wire-format.md#usage). */
export const availableCredits = defineLegacy('POST', '/openapi.v2.OpenapiV2Service/GetAvailableCredits', {
  summary: "Returns the account's credit balance, without an envelope.",
  access: 'account',
  cost: 'read',
  takesAnyCredential: true,
  request: z.object({}),
  response: z.object(availableCreditsFields),
  handle: (_, context) => readAvailableCredits(context),
});
