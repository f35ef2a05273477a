/** SQL: whether two accounts, named by columns, are in the same team. An account without a team is nobody's teammate, not even its own. */
export function areTeammates(one: string, other: string): string {
  return `EXISTS (SELECT 1 FROM team_members me JOIN team_members mate ON mate.team_id = me.team_id
    WHERE me.account_id = ${one} AND mate.account_id = ${other})`;
}
