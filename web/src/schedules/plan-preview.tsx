import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errand } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { NextTimes } from './next-times.tsx';
import { type Plan, type Timing, toTiming } from './plan.ts';

/** The service is not asked on every keystroke. */
const debounceMs = 300;

/** A plan's next ten times, from the service, a moment after each change. */
export function usePlanPreview(plan: Plan) {
  const text = JSON.stringify(toTiming(plan));
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const timing = JSON.parse(asked) as Timing | null;
  const query = useQuery({
    queryKey: ['schedule preview', timing],
    queryFn: async ({ signal }) => (await errand.schedule.preview(timing ?? {}, { signal })).next_runs,
    enabled: timing !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const isShown = timing !== null && query.data !== undefined && query.error === null;
  return {
    times: isShown ? query.data : null,
    zone: timing?.time_zone ?? plan.zone,
    error: timing === null ? null : query.error,
  };
}

/** The next runs of a plan that is being entered. */
export function PlanPreview({ times, zone }: Pick<ReturnType<typeof usePlanPreview>, 'times' | 'zone'>) {
  const { schedules } = useText();
  return (
    <section aria-label={schedules.preview} className="rounded-md bg-hover px-4 py-3">
      <h3 className="mb-2 text-sm font-medium">{schedules.preview}</h3>
      {times === null ? (
        <p className="text-sm text-soft">{schedules.previewWait}</p>
      ) : (
        <NextTimes label={schedules.preview} times={times} zone={zone} />
      )}
    </section>
  );
}
