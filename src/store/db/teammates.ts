/**
 * Teams in SQL. `team_members` has the current team of each account, `other_memberships` the rest, so a release that knows only the first
 * sees accounts with one team.
 */

/** The accounts in a team, as a list for `IN`; takes the team twice as a parameter. */
export const membersOfTeam = `(SELECT c.account_id FROM team_members c WHERE c.team_id = ?
  UNION ALL SELECT o.account_id FROM other_memberships o WHERE o.team_id = ?)`;

/** The teams of an account, as a list for `IN`; takes the account twice as a parameter. */
export const teamsOfAccount = `(SELECT c.team_id FROM team_members c WHERE c.account_id = ?
  UNION ALL SELECT o.team_id FROM other_memberships o WHERE o.account_id = ?)`;

/** The members of all teams of an account, as a list for `IN`; takes the account four times as a parameter. */
export const matesOfAccount = `(SELECT c.account_id FROM team_members c WHERE c.team_id IN ${teamsOfAccount}
  UNION ALL SELECT o.account_id FROM other_memberships o WHERE o.team_id IN ${teamsOfAccount})`;

/** Whether an account is in a team, current or not; both are columns. */
export function isMember(account: string, team: string): string {
  return `(EXISTS (SELECT 1 FROM team_members c WHERE c.account_id = ${account} AND c.team_id = ${team})
    OR EXISTS (SELECT 1 FROM other_memberships o WHERE o.account_id = ${account} AND o.team_id = ${team}))`;
}

/** The team that a row belongs to: the one in which it was made. `row` is the alias of a table with `account_id` and `team_id`. */
export function teamOf(row: string): string {
  return `COALESCE(${row}.team_id, (SELECT n.team_id FROM team_members n WHERE n.account_id = ${row}.account_id))`;
}

/**
 * A condition on `tasks`: what gets the name of a team that is left. The main task of an agent continues in every team, so it gets none and is
 * always in the current one, unless it is shared: what one team can read of it is not for the next.
 */
export const isUnnamedTask = "team_id IS NULL AND NOT (task_type = 'agent_main' AND share_visibility <> 'team')";

/** Part of an UPDATE of `tasks` that ends sharing with a team: a main task is in the current one again. */
export const endTeam = "team_id = CASE WHEN task_type <> 'agent_main' THEN team_id END";

/**
 * Part of an UPDATE of a table with `account_id` and `team_id` that shares a row with a team: its own one, or, if its owner has left that, the
 * current one.
 */
export function keepTeam(table: string): string {
  return `team_id = CASE WHEN ${isMember(`${table}.account_id`, `${table}.team_id`)} THEN team_id END`;
}

/** The team of a task of an account, unless the account has left it; takes the account and the task as parameters. */
export const teamOfTask = `(SELECT g.team_id FROM tasks t JOIN teams g ON g.team_id = ${teamOf('t')}
  WHERE t.account_id = ? AND t.id = ? AND ${isMember('t.account_id', 'g.team_id')})`;

/**
 * Whether an account, named by a column or a parameter, and the owner of a row are both in the team that the row belongs to. What belongs
 * to no team has no teammates, not even its owner.
 */
export function areTeammates(account: string, row: string): string {
  return `EXISTS (SELECT 1 FROM accounts r JOIN teams g ON g.team_id = ${teamOf(row)}
    WHERE r.account_id = ${account} AND ${isMember('r.account_id', 'g.team_id')} AND ${isMember(`${row}.account_id`, 'g.team_id')})`;
}
