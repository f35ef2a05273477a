-- What an application says it is, native or web, which decides about its redirect URIs; NULL where it says nothing.
ALTER TABLE oauth_apps ADD COLUMN application_type TEXT;
