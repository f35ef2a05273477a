import { afterAll } from 'vitest';
import { endServices } from './supervisor.ts';

// After each file, whether its tests passed or not.
afterAll(endServices);
