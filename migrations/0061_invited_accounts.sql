-- Whether an invitation makes an account for somebody who has none.
ALTER TABLE team_invitations ADD COLUMN makes_account INTEGER NOT NULL DEFAULT 0;
