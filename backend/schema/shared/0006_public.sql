-- New objects in public are open to the three roles by default, as in a hosted project; row-level security and the
-- migrations' own grants restrict what the roles may do with them.

grant usage on schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
