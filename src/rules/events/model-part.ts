/** Opaque data that a provider expects back with the part it came with, such as signatures of reasoning. */
export type ProviderData = Record<string, unknown>;

export type ModelPart =
  | { type: 'text'; text: string; provider?: ProviderData }
  | { type: 'reasoning'; text: string; provider?: ProviderData }
  | {
      type: 'call';
      id: string;
      tool: string;
      input: unknown;
      provider?: ProviderData;
      /** Present if the reply reached its output limit within this call, which then never runs. */
      isCut?: true;
    };

export type CallPart = Extract<ModelPart, { type: 'call' }>;
