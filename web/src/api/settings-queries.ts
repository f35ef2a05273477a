import { queryOptions, useQuery } from '@tanstack/react-query';
import { errand } from './errand.ts';
import { keys } from './query-keys.ts';
import { useSession } from './session.ts';
import { taskShowQuery } from './task-show-query.ts';
import { callWeb } from './web-call.ts';

export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: async ({ signal }) => (await callWeb('session.list', {}, { signal })).data,
});

/** Whether the account asks for a second step at sign-in. */
export const twoStepQuery = queryOptions({
  queryKey: keys.twoStep,
  queryFn: async ({ signal }) => (await callWeb('account.twoStepDetail', {}, { signal })).two_step,
});

/** The passkeys of the account, and whether more can be made. */
export const passkeysQuery = queryOptions({
  queryKey: keys.passkeys,
  queryFn: ({ signal }) => callWeb('account.passkeys', {}, { signal }),
});

export const connectionsQuery = queryOptions({
  queryKey: keys.connections,
  queryFn: async ({ signal }) => (await callWeb('connection.list', {}, { signal })).data,
});

/** The identities that can sign in to the account, and the configured provider. */
export const identitiesQuery = queryOptions({
  queryKey: keys.identities,
  queryFn: ({ signal }) => callWeb('identity.list', {}, { signal }),
});

/** The models of the profiles, for the owner of the instance. */
export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: async ({ signal }) => (await errand.instance.listModels({}, { signal })).data,
});

/** The models of the account with keys of its own, and whether the service accepts such keys. */
export const modelKeysQuery = queryOptions({
  queryKey: keys.modelKeys,
  queryFn: ({ signal }) => errand.model.listKeys({}, { signal }),
});

/** A model that Ollama or LM Studio offers beside the service, or null. */
export const localModelQuery = queryOptions({
  queryKey: keys.localModel,
  queryFn: async ({ signal }) => (await errand.instance.findLocalModel({}, { signal })).model,
});

/** The chats linked to the account, and the available bots. */
export const chatsQuery = queryOptions({
  queryKey: keys.chats,
  queryFn: ({ signal }) => callWeb('bridge.list', {}, { signal }),
});

/** What the user is notified of, and how the service can reach them. */
export const notificationsQuery = queryOptions({
  queryKey: keys.notifications,
  queryFn: ({ signal }) => errand.notification.show({}, { signal }),
});

export const apiKeysQuery = queryOptions({
  queryKey: keys.apiKeys,
  queryFn: async ({ signal }) => (await callWeb('key.list', {}, { signal })).data,
});

export const appsQuery = queryOptions({
  queryKey: keys.apps,
  queryFn: async ({ signal }) => (await callWeb('app.list', {}, { signal })).data,
});

export function appQuery(clientId: string) {
  return queryOptions({
    queryKey: [...keys.apps, clientId],
    queryFn: ({ signal }) => callWeb('app.show', { client_id: clientId }, { signal }),
  });
}

export const webhooksQuery = queryOptions({
  queryKey: keys.webhooks,
  queryFn: async ({ signal }) => (await errand.webhook.list({}, { signal })).data,
});

/** The members of the current team. */
export const membersQuery = queryOptions({
  queryKey: [...keys.team, 'members'],
  queryFn: async ({ signal }) => (await callWeb('team.members', {}, { signal })).data,
});

/** The members of one of the user's teams. */
export function membersOf(team: string) {
  return queryOptions({
    queryKey: [...keys.team, 'members', team],
    queryFn: async ({ signal }) => (await callWeb('team.members', { team }, { signal })).data,
  });
}

/** The members of the team that a task belongs to, which need not be the current one; undefined until they are known, or without a team. */
export function useTaskMembers(taskId: string, isEnabled = true) {
  const hasTeams = (useSession().data?.teams.length ?? 0) > 0;
  const team = useQuery({ ...taskShowQuery(taskId), enabled: isEnabled && hasTeams }).data?.owner.team_id ?? '';
  return useQuery({ ...membersOf(team), enabled: isEnabled && team !== '' }).data;
}

export function invitationsOf(team: string) {
  return queryOptions({
    queryKey: [...keys.team, 'invitations', team],
    queryFn: async ({ signal }) => (await callWeb('team.invitations', { team }, { signal })).data,
  });
}

export const webhookKeysQuery = queryOptions({
  queryKey: [...keys.webhooks, 'public keys'],
  queryFn: ({ signal }) => errand.webhook.publicKey({}, { signal }),
  staleTime: 600_000,
});
