import { z } from 'zod';
import { teamRoles } from '../../rules/accounts/team-role.ts';
import { listModelKeys } from '../../store/accounts/model-keys/model-keys.ts';
import { listTeamsOf, type OwnTeam } from '../../store/accounts/current-team.ts';
import { availableCreditsFields, readAvailableCredits } from '../credits/available-credits-fields.ts';
import { presentMoney, shownMoney } from '../budgets/money-field.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { accountObject, presentAccount, readOwnAccount } from './account-object.ts';
import { isInstanceOwner, sessionIdOf } from './session-id.ts';

/** Whether this user's tasks use models with a key of its own. */
async function hasOwnModel({ modelKeys, principal: { accountId }, read }: Context): Promise<boolean> {
  return modelKeys.isAccepting && (await read(listModelKeys, { accountId })).length > 0;
}

const teamOfUser = z.object({ id: z.string(), name: z.string(), role: z.enum(teamRoles) });

function presentTeamOfUser({ id, name, role }: OwnTeam): z.input<typeof teamOfUser> {
  return { id, name, role };
}

export const sessionShow = defineOperation('GET', 'session.show', {
  summary: 'Returns the signed-in user, team, and credit balance.',
  access: 'browser',
  request: z.object({}),
  response: z.object({
    account: accountObject,
    team: teamOfUser.nullable().meta({ description: 'The current team.' }),
    teams: z.array(teamOfUser).meta({ description: 'All teams of the user, by their names.' }),
    credits: z.object(availableCreditsFields),
    session: z.object({ id: z.string() }),
    instance: z.object({
      is_owner: z.boolean().meta({ description: 'Whether this user may set the models of the instance.' }),
      has_model: z.boolean().meta({ description: 'False while nobody has connected a language model.' }),
      has_credit_limit: z.boolean().meta({ description: 'Whether work without credits is refused.' }),
      credit_price: shownMoney.meta({ description: 'What a credit is worth.' }),
      watch_roots: z.array(z.string()).meta({ description: 'Names of the folders that triggers may watch.' }),
    }),
  }),
  async handle(_, context) {
    const { principal, read } = context;
    const [account, teams, credits] = await Promise.all([
      readOwnAccount(context),
      read(listTeamsOf, principal.accountId),
      readAvailableCredits(context),
    ]);
    const current = teams.find(({ isCurrent }) => isCurrent);
    return {
      account: presentAccount(account),
      team: current ? presentTeamOfUser(current) : null,
      teams: teams.map(presentTeamOfUser),
      credits,
      session: { id: sessionIdOf(principal) },
      instance: {
        is_owner: isInstanceOwner(principal),
        has_model: context.models.isConnected() || (await hasOwnModel(context)),
        has_credit_limit: context.credits.isEnforced,
        credit_price: presentMoney({ credits: 1 }, context.credits.price),
        watch_roots: Object.keys(context.watchRoots),
      },
    };
  },
});
