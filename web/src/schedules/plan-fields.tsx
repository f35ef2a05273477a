import { useId } from 'react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Field, inputClasses, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import { browserZone, type Plan, type PlanKind, planKinds, type Unit, units } from './plan.ts';

interface PartProps {
  plan: Plan;
  problems: FormProblems;
  onChange(part: Partial<Plan>): void;
}

/** Names that the browser knows; the service may know more. */
const zones = Intl.supportedValuesOf('timeZone');
/** The days of the week, from Monday on. */
const weekdays = ['1', '2', '3', '4', '5', '6', '0'];

function ZoneField({ plan, problems, onChange }: PartProps) {
  const { schedules } = useText();
  const listId = useId();
  return (
    <Field label={schedules.zone} problem={problems.of('time_zone')}>
      {(control) => (
        <>
          <input
            {...control}
            type="text"
            required
            list={listId}
            autoComplete="off"
            spellCheck={false}
            className={inputClasses}
            value={plan.zone}
            onChange={(event) => onChange({ zone: event.target.value })}
          />
          <datalist id={listId}>
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function IntervalFields({ plan, problems, onChange }: PartProps) {
  const { schedules } = useText();
  return (
    <>
      <TextField
        label={schedules.count}
        type="number"
        min={1}
        required
        value={plan.count}
        problem={problems.of('interval_seconds')}
        onChange={(event) => onChange({ count: event.target.value })}
      />
      <Field label={schedules.unit}>
        {(control) => (
          <Select<Unit>
            {...control}
            value={plan.unit}
            options={units.map((value) => ({ value, label: schedules.units[value] }))}
            onValueChange={(unit) => onChange({ unit })}
          />
        )}
      </Field>
    </>
  );
}

function OnceField({ plan, problems, onChange }: PartProps) {
  const { schedules } = useText();
  return (
    <TextField
      label={schedules.at}
      hint={schedules.atHint(browserZone)}
      type="datetime-local"
      required
      value={plan.at}
      problem={problems.of('run_at')}
      onChange={(event) => onChange({ at: event.target.value })}
    />
  );
}

/** The time of day, after the day if the kind has one. */
function DayFields({ plan, problems, onChange }: PartProps) {
  const { schedules } = useText();
  const format = useFormat();
  return (
    <>
      {plan.kind === 'weekly' && (
        <Field label={schedules.weekday}>
          {(control) => (
            <Select
              {...control}
              value={plan.weekday}
              options={weekdays.map((value) => ({ value, label: format.weekday(Number(value)) }))}
              onValueChange={(weekday) => onChange({ weekday })}
            />
          )}
        </Field>
      )}
      {plan.kind === 'monthly' && (
        <TextField
          label={schedules.monthDay}
          type="number"
          min={1}
          max={31}
          required
          value={plan.monthDay}
          onChange={(event) => onChange({ monthDay: event.target.value })}
        />
      )}
      <TextField
        label={schedules.time}
        type="time"
        required
        value={plan.time}
        problem={problems.of('cron')}
        onChange={(event) => onChange({ time: event.target.value })}
      />
    </>
  );
}

function CronField({ plan, problems, onChange }: PartProps) {
  const { schedules } = useText();
  return (
    <TextField
      label={schedules.cron}
      hint={schedules.cronHint}
      required
      spellCheck={false}
      value={plan.cron}
      problem={problems.of('cron')}
      onChange={(event) => onChange({ cron: event.target.value })}
    />
  );
}

function KindFields(props: PartProps) {
  const { kind } = props.plan;
  if (kind === 'interval') return <IntervalFields {...props} />;
  if (kind === 'once') return <OnceField {...props} />;
  return kind === 'cron' ? <CronField {...props} /> : <DayFields {...props} />;
}

/** When a schedule runs: a preset with its fields, and the time zone of those that have one. */
export function PlanFields(props: PartProps) {
  const { plan, onChange } = props;
  const { schedules } = useText();
  const hasZone = plan.kind !== 'once' && plan.kind !== 'interval';
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Field label={schedules.when}>
        {(control) => (
          <Select<PlanKind>
            {...control}
            value={plan.kind}
            options={planKinds.map((value) => ({ value, label: schedules.kinds[value] }))}
            onValueChange={(kind) => onChange({ kind })}
          />
        )}
      </Field>
      <KindFields {...props} />
      {hasZone && <ZoneField {...props} />}
    </div>
  );
}
