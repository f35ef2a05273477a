import { describe, expect, it } from 'vitest';
import { browserZone, firstPlan, type Plan, readPlan, toTiming } from './plan.ts';

const plan = (part: Partial<Plan>): Plan => ({ ...firstPlan, zone: 'Europe/Berlin', ...part });
const nothing = { cron: null, interval_seconds: null, run_at: null, time_zone: 'Europe/Berlin' };

describe('a plan of a schedule', () => {
  it('is what the API takes, and can be read from that again', () => {
    const plans: [Partial<Plan>, object][] = [
      [{ kind: 'daily', time: '09:05' }, { cron: '5 9 * * *' }],
      [{ kind: 'weekdays', time: '00:00' }, { cron: '0 0 * * 1-5' }],
      [{ kind: 'weekly', time: '18:30', weekday: '0' }, { cron: '30 18 * * 0' }],
      [{ kind: 'monthly', time: '23:59', monthDay: '31' }, { cron: '59 23 31 * *' }],
      [{ kind: 'interval', count: '90', unit: 'second' }, { interval_seconds: 90 }],
      [{ kind: 'interval', count: '2', unit: 'hour' }, { interval_seconds: 7_200 }],
      [{ kind: 'interval', count: '3', unit: 'day' }, { interval_seconds: 259_200 }],
      [{ kind: 'cron', cron: '*/15 8-17 * * mon-fri' }, { cron: '*/15 8-17 * * mon-fri' }],
    ];
    for (const [part, timing] of plans) {
      expect(toTiming(plan(part))).toEqual({ ...timing, time_zone: 'Europe/Berlin' });
      expect(readPlan({ ...nothing, ...timing })).toMatchObject(part);
    }
  });

  it('for one time shows the clock of the browser', () => {
    const at = Math.floor(new Date(2027, 1, 28, 14, 30).getTime() / 1000);
    expect(readPlan({ ...nothing, run_at: at })).toMatchObject({ kind: 'once', at: '2027-02-28T14:30' });
    expect(toTiming(plan({ kind: 'once', at: '2027-02-28T14:30' }))).toEqual({ run_at: at, time_zone: browserZone });
  });

  it('shows a cron as it is if it is more than a preset can say', () => {
    const crons = ['0 9 * * mon', '0 9 1 * 1', '0 9 * 6 *', '60 9 * * *', '0 24 * * *', '0 9,17 * * *', '@daily'];
    for (const cron of crons) expect(readPlan({ ...nothing, cron })).toMatchObject({ kind: 'cron', cron });
    expect(readPlan({ ...nothing, cron: '0 9 * * mon-fri' }).kind).toBe('weekdays');
  });

  it('is nothing while a field is empty', () => {
    const incomplete: Partial<Plan>[] = [
      { kind: 'daily', time: '' },
      { kind: 'monthly', monthDay: '' },
      { kind: 'interval', count: '' },
      { kind: 'interval', count: 'x' },
      { kind: 'once', at: '' },
      { kind: 'cron', cron: ' ' },
      { kind: 'daily', zone: '' },
    ];
    expect(incomplete.map((part) => toTiming(plan(part)))).toEqual(incomplete.map(() => null));
  });
});
