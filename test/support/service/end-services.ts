import { afterAll } from 'vitest';
import { endLocalServices } from './local-service.ts';
import { endServices } from './supervisor.ts';

// After each file, whether its tests passed or not.
afterAll(() => Promise.all([endServices(), endLocalServices()]).then(() => undefined));
