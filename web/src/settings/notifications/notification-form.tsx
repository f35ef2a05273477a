import type { NotificationSettings, Request } from '@errand/client';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Field, TextField } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Checkbox, Switch } from '../../ui/controls/switch.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

type Topic = keyof NotificationSettings['topics'];
type Channel = NotificationSettings['topics'][Topic][number];
type Change = Request<'notification.set'>;

interface PartProps {
  settings: NotificationSettings;
  hasMail: boolean;
  /** Whether the service has a bot for Telegram or Slack. */
  hasChats: boolean;
  onChange(change: Change): void;
}

const topicOrder: readonly Topic[] = ['questions', 'budget', 'failures', 'finished'];
const usualNight = '22:00-07:00';

/** The zone of the clocks that the user looks at. */
const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Topics({ settings, hasMail, hasChats, onChange }: PartProps) {
  const { notifications } = useText();
  const channels: readonly Channel[] = ['push', ...(hasMail ? ['email' as const] : []), ...(hasChats ? ['chat' as const] : [])];
  const toggle = (topic: Topic, channel: Channel, isOn: boolean) => {
    const others = settings.topics[topic].filter((one) => one !== channel);
    onChange({ topics: { [topic]: isOn ? [...others, channel] : others } });
  };
  return (
    <Section title={notifications.topics} lead={notifications.topicsLead}>
      <Card className="flex flex-col gap-4">
        {topicOrder.map((topic) => (
          <fieldset key={topic} className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <legend className="mb-1.5 text-sm font-medium">{notifications.topicNames[topic]}</legend>
            {channels.map((channel) => (
              <Checkbox
                key={channel}
                label={notifications.channels[channel]}
                isOn={settings.topics[topic].includes(channel)}
                onChange={(isOn) => toggle(topic, channel, isOn)}
              />
            ))}
          </fieldset>
        ))}
        {!hasMail && <p className="text-sm text-soft">{notifications.noMail}</p>}
      </Card>
    </Section>
  );
}

function TimeField({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  return (
    <TextField
      type="time"
      label={label}
      value={value}
      onChange={({ target }) => {
        if (target.value !== '') onChange(target.value);
      }}
    />
  );
}

function QuietHours({ settings, onChange }: PartProps) {
  const { notifications } = useText();
  const { quiet_hours: quiet, time_zone: zone } = settings;
  const [from = '', to = ''] = quiet.split('-');
  const isOn = quiet !== '';
  const change = (next: string) => onChange({ quiet_hours: next, time_zone: zoneHere });
  return (
    <Section title={notifications.quiet} lead={notifications.quietLead}>
      <Card className="flex flex-col gap-4">
        <Switch label={notifications.quietSwitch} isOn={isOn} onChange={(wanted) => change(wanted ? usualNight : '')} />
        {isOn && (
          <div className="flex flex-wrap gap-4">
            <TimeField label={notifications.quietFrom} value={from} onChange={(time) => change(`${time}-${to}`)} />
            <TimeField label={notifications.quietTo} value={to} onChange={(time) => change(`${from}-${time}`)} />
          </div>
        )}
        {isOn && <p className="text-sm text-soft">{notifications.zone(zone)}</p>}
      </Card>
    </Section>
  );
}

function Digest({ settings, onChange }: PartProps) {
  const { notifications } = useText();
  const { digest, digest_time: time } = settings;
  const periods = (['none', 'daily', 'weekly'] as const).map((value) => ({ value, label: notifications.digests[value] }));
  const change = (next: Change) => onChange({ ...next, time_zone: zoneHere });
  return (
    <Section title={notifications.digest} lead={notifications.digestLead}>
      <Card className="flex flex-wrap gap-4">
        <Field label={notifications.digestPeriod}>
          {(control) => (
            <Select {...control} value={digest} options={periods} onValueChange={(value) => change({ digest: value })} />
          )}
        </Field>
        {digest !== 'none' && (
          <TimeField label={notifications.digestTime} value={time} onChange={(value) => change({ digest_time: value })} />
        )}
      </Card>
    </Section>
  );
}

/** What the user is notified of, where, and when not. Every change takes effect immediately. */
export function NotificationForm({ settings, hasMail, hasChats }: Omit<PartProps, 'onChange'>) {
  const save = useAction((change: Change) => errand.notification.set(change), { changes: [keys.notifications] });
  const part = { settings, hasMail, hasChats, onChange: (change: Change) => save.mutate(change) };
  return (
    <>
      <Topics {...part} />
      <QuietHours {...part} />
      {hasMail && <Digest {...part} />}
    </>
  );
}
