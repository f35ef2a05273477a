-- The application that comes with the product and belongs to no account: the command line signs in with it. Its scopes are what
-- errand login asks for.
INSERT INTO oauth_apps (account_id, client_id, name, homepage, kind, is_public, redirect_uris, scopes, revision, created_at)
VALUES ('', 'errand-cli', 'Errand command line', NULL, 'team', 1, '[]',
  'manage_all_tasks create_project use_connectors use_my_browsers', 1, 0);
