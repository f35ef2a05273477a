import type { Trigger, TriggerEvent } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { errand, isNotFound } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { FactList } from '../automation/fact-list.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { BackLink } from '../ui/display/back-link.tsx';
import { Section } from '../ui/display/card.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { MissingItem } from '../ui/feedback/missing-page.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { TriggerDeliveries } from './trigger-deliveries.tsx';
import { showFilterValue } from './filter-value.ts';
import { TriggerActions } from './trigger-actions.tsx';
import { TriggerPlace } from './trigger-place.tsx';
import { senderKindOf } from './trigger-request.ts';
import { TriggerSwitch } from './trigger-switch.tsx';

const pageSize = 30;
const refreshMs = 5_000;

function Facts({ trigger }: { trigger: Trigger }) {
  const { triggers } = useText();
  const format = useFormat();
  const { message_template: template, verification, filter, dedupe, conversation } = trigger;
  const conditions = filter.map(({ pointer, equals }) => `${pointer} ${triggers.is} ${showFilterValue(equals)}`);
  const facts = [
    [triggers.template, template],
    [triggers.verification, triggers.verifications[senderKindOf(trigger)]],
    ...(verification.header === undefined ? [] : [[triggers.header, verification.header] as const]),
    ...(conditions.length === 0 ? [] : [[triggers.filter, format.list(conditions)] as const]),
    ...(dedupe === null || trigger.type === 'folder' || trigger.type === 'bucket' ? [] : [[triggers.dedupe, dedupe] as const]),
    [triggers.conversation, triggers.conversations[conversation]],
  ] as const;
  return <FactList facts={facts} />;
}

function Detail({ trigger }: { trigger: Trigger }) {
  const { triggers } = useText();
  const { id, name } = trigger;
  const place = triggers.places[trigger.type];
  const deliveries = usePages<TriggerEvent>([...keys.trigger(id), 'events'], {
    fetchPage: (cursor, signal) =>
      errand.trigger.events({ trigger_id: id, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: refreshMs,
  });
  const lastBody = deliveries.items.find(({ body }) => body !== undefined);
  return (
    <>
      <BackLink to="/triggers">{triggers.title}</BackLink>
      <PageHeader title={name} actions={<TriggerSwitch trigger={trigger} />} />
      <Section title={place.name} lead={place.hint}>
        <TriggerPlace trigger={trigger} />
        <TriggerActions trigger={trigger} delivery={lastBody} />
      </Section>
      <Section title={triggers.settings}>
        <Facts trigger={trigger} />
      </Section>
      <TriggerDeliveries triggerId={id} pages={deliveries} />
    </>
  );
}

/** One trigger: its URL, address, folder, or bucket, settings, and deliveries. */
export function TriggerPage() {
  const { triggers } = useText();
  const { triggerId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: keys.trigger(triggerId),
    queryFn: async ({ signal }) => (await errand.trigger.detail({ trigger_id: triggerId }, { signal })).trigger,
  });
  return (
    <Page>
      {isNotFound(error) && <MissingItem to="/triggers" list={triggers.title} />}
      {error && !isNotFound(error) && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={3} className="h-24" />}
      {data && !isNotFound(error) && <Detail trigger={data} />}
    </Page>
  );
}
