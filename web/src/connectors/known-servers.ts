/**
 * Public MCP servers that many people use, as their makers document them. `signIn`: the server asks for a sign-in after it is connected.
 * `key`: it takes a key of the user in the header `Authorization`. `open`: it asks for neither. Nothing of this is fetched.
 */
export const knownServers = [
  { key: 'notion', name: 'Notion', url: 'https://mcp.notion.com/mcp', access: 'signIn' },
  { key: 'linear', name: 'Linear', url: 'https://mcp.linear.app/mcp', access: 'signIn' },
  { key: 'atlassian', name: 'Atlassian', url: 'https://mcp.atlassian.com/v1/mcp', access: 'signIn' },
  { key: 'github', name: 'GitHub', url: 'https://api.githubcopilot.com/mcp/', access: 'key' },
  { key: 'sentry', name: 'Sentry', url: 'https://mcp.sentry.dev/mcp', access: 'signIn' },
  { key: 'intercom', name: 'Intercom', url: 'https://mcp.intercom.com/mcp', access: 'signIn' },
  { key: 'neon', name: 'Neon', url: 'https://mcp.neon.tech/mcp', access: 'signIn' },
  { key: 'stripe', name: 'Stripe', url: 'https://mcp.stripe.com', access: 'key' },
  { key: 'modelHub', name: 'Hugging Face', url: 'https://huggingface.co/mcp', access: 'open' },
  { key: 'deepWiki', name: 'DeepWiki', url: 'https://mcp.deepwiki.com/mcp', access: 'open' },
  { key: 'microsoftLearn', name: 'Microsoft Learn', url: 'https://learn.microsoft.com/api/mcp', access: 'open' },
  { key: 'cloudflareDocs', name: 'Cloudflare Docs', url: 'https://docs.mcp.cloudflare.com/mcp', access: 'open' },
] as const;

export type KnownServer = (typeof knownServers)[number];
