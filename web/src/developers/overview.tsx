import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { webhookKeysQuery } from '../api/settings-queries.ts';
import { CodeBlock } from '../markdown/code-block.tsx';
import { useText } from '../text/locale.ts';
import { Card, Section } from '../ui/display/card.tsx';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { ExternalLink, linkClasses } from '../ui/display/link.tsx';

/** The shortest way from a key to a task. */
function firstCall(origin: string): string {
  return [
    `curl '${origin}/v2/task.create'`,
    `  -H "x-service-api-key: $KEY"`,
    "  -H 'content-type: application/json'",
    `  -d '{"message":{"content":"Write a poem about the sea"}}'`,
  ].join(' \\\n');
}

/** The keys with which receivers verify webhook signatures. */
function SigningKeys() {
  const { developers: text } = useText();
  const keys = useQuery(webhookKeysQuery);
  if (!keys.data) return null;
  const rows = [
    { name: text.standardKey, value: keys.data.standard_webhooks_public_key },
    { name: text.rsaKey, value: keys.data.public_key },
  ];
  return (
    <Section title={text.signing} lead={text.signingLead}>
      <Card className="flex flex-col gap-4">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <div className="flex items-center justify-between gap-3">
              <h3 className="text-sm font-medium">{name}</h3>
              <CopyButton text={value} />
            </div>
            <pre className="mt-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere text-soft">{value}</pre>
          </div>
        ))}
      </Card>
    </Section>
  );
}

/** The first page for developers. */
export function Overview() {
  const { developers: text } = useText();
  return (
    <>
      <p className="mb-8 text-soft">{text.overviewLead}</p>
      <Section title={text.firstTask} lead={text.firstTaskLead}>
        <CodeBlock code={firstCall(window.location.origin)} language="bash" />
      </Section>
      <Section title={text.reference} lead={text.referenceLead}>
        <p className="flex flex-wrap gap-x-5 gap-y-2">
          <Link to="/developers/reference" className={linkClasses}>
            {text.reference}
          </Link>
          <ExternalLink href="/openapi.json">{text.document}</ExternalLink>
        </p>
      </Section>
      <SigningKeys />
    </>
  );
}
