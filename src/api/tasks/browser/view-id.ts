import { z } from 'zod';

export const viewId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must have 8 to 64 letters, digits, _ or -')
  .meta({ description: 'Names the page that watches; any new random text.' });
