import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { identitiesQuery } from '../api/settings-queries.ts';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb } from '../api/web-call.ts';
import { languageNames, languageOf, setLocale, useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Card, Section } from '../ui/display/card.tsx';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { ThemeSelect } from '../ui/controls/theme-select.tsx';
import { PasswordForm } from './password-form.tsx';

/** The account: its e-mail address, language and password. */
export function AccountSettings() {
  const { app, settings } = useText();
  const account = useSession().data?.account;
  const choose = useAction((locale: string) => callWeb('account.update', { locale }), {
    changes: [keys.session],
    onDone: ({ account: changed }) => void setLocale(changed.locale),
  });
  // Users who only sign in with a provider have no password to change.
  const hasPassword = useQuery(identitiesQuery).data?.has_password === true;
  if (!account) return null;
  const options = languageNames.map(({ tag, name }) => ({ value: tag, label: name }));
  return (
    <>
      <Section title={settings.account}>
        <Card className="flex flex-col gap-5">
          <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-sm">
            <dt className="text-soft">{settings.signedInAs}</dt>
            <dd className="min-w-0 font-medium wrap-anywhere">{account.email}</dd>
            <dt className="text-soft">{settings.plan}</dt>
            <dd>
              <Badge>{settings.plans[account.plan]}</Badge>
            </dd>
          </dl>
          <Field label={settings.language} hint={settings.languageHint}>
            {(control) => (
              <Select
                {...control}
                className="max-w-56"
                value={languageOf(account.locale)}
                options={options}
                onValueChange={(locale) => choose.mutate(locale)}
                disabled={choose.isPending}
              />
            )}
          </Field>
          <Field label={app.theme} hint={settings.themeHint}>
            {(control) => <ThemeSelect {...control} className="max-w-56" />}
          </Field>
        </Card>
      </Section>
      {hasPassword && (
        <Section title={settings.password} lead={settings.passwordLead}>
          <PasswordForm email={account.email} />
        </Section>
      )}
    </>
  );
}
