import { systemClock } from '@errand/base/clock.ts';
import { openPostgres } from '../../../src/store/postgres-open.ts';
import { openSqlite } from '../../../src/store/sqlite-open.ts';

/** A process that opens the store of the given folder or URL, reports success or the error, and holds it until killed. */
const [place = ''] = process.argv.slice(2);
try {
  await (place.includes('://') ? openPostgres(place, systemClock) : openSqlite(place, systemClock));
  console.log('open');
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log((error as Error).message);
}
