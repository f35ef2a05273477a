import type { PublicAttachment } from '../rules/attachment.ts';
import type { PublicEvent } from '../rules/present.ts';
import { html, type Html } from './html.ts';

/** Everything in an event was written by a user, a model or a tool: it is shown as text and never as part of the page. */
function renderText(text: unknown): Html {
  return html`<div class="text" dir="auto">${typeof text === 'string' ? text : ''}</div>`;
}

function renderAttachments(attachments: unknown): Html | false {
  const all = Array.isArray(attachments) ? (attachments as PublicAttachment[]) : [];
  if (all.length === 0) return false;
  const links = all.map(
    ({ url, filename }) => html`<li><a href="${url}" rel="noopener noreferrer nofollow" dir="auto">${filename}</a></li>`,
  );
  return html`<ul class="plain">${links}</ul>`;
}

function renderMessage(who: string, { content, attachments }: Record<string, unknown>): Html {
  return html`<article class="card"><h2 class="small soft">${who}</h2>${renderText(content)}${renderAttachments(attachments)}</article>`;
}

function renderStatus({ brief, status_detail: detail }: Record<string, unknown>): Html {
  const { waiting_description: question } = (detail ?? {}) as { waiting_description?: string };
  return html`<p class="soft small">${String(brief)}${question !== undefined && renderText(question)}</p>`;
}

function renderTool({ tool, brief, status, description }: Record<string, unknown>): Html {
  const failed = status === 'error' && ' · failed';
  return html`<details class="small"><summary>${String(tool)}: ${String(brief)}${failed}</summary>${renderText(description)}</details>`;
}

function renderPlan({ steps }: Record<string, unknown>): Html {
  const marks: Record<string, string> = { done: '✓', doing: '…', failed: '✗', todo: '·' };
  const rows = (steps as { status: string; title: string }[]).map(
    ({ status, title }) => html`<li><span class="soft">${marks[status] ?? '·'}</span> ${title}</li>`,
  );
  return html`<details class="small"><summary>Plan</summary><ul>${rows}</ul></details>`;
}

const renderers: Readonly<Record<string, (payload: Record<string, unknown>) => Html>> = {
  user_message: (payload) => renderMessage('Message', payload),
  assistant_message: (payload) => renderMessage('Answer', payload),
  error_message: ({ content }) => html`<div class="note wrong">${renderText(content)}</div>`,
  status_update: renderStatus,
  explanation: ({ content }) => html`<div class="soft small">${renderText(content)}</div>`,
  tool_used: renderTool,
  plan_update: renderPlan,
  structured_output_result: ({ value, error }) =>
    html`<article class="card"><h2 class="small soft">Structured result</h2>${typeof error === 'string' && html`<p>${error}</p>`}<pre class="text">${JSON.stringify(value, null, 2)}</pre></article>`,
};

/** The events of a task in their order, as a page without scripts shows them. */
export function renderConversation(events: readonly PublicEvent[]): Html {
  const parts = events.map((event) => {
    const render = Object.hasOwn(renderers, event.type) ? renderers[event.type] : undefined;
    return render?.((event[event.type] ?? {}) as Record<string, unknown>);
  });
  return html`<section aria-label="Conversation">${parts}</section>`;
}
