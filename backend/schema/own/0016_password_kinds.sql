-- The kinds of password hashes among imported accounts, so that every sign-in can take equally long. A partial index
-- on those accounts finds them with one lookup per kind.

-- Only the table's owner may create the index; without it, the query scans all accounts.
do $$
begin
  create index if not exists users_foreign_password_kind_idx on auth.users (
    (substring(encrypted_password from '^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$'))
  ) where encrypted_password not like '$argon2id$v=19$m=19456,t=2,p=1$%';
exception
  when insufficient_privilege then null;
end
$$;

create or replace function backend.foreign_password_kinds() returns setof text
  language sql stable
  set search_path = ''
  as $$
    with recursive kinds (kind) as (
      (
        select substring(encrypted_password from '^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$') as kind
        from auth.users
        where encrypted_password not like '$argon2id$v=19$m=19456,t=2,p=1$%'
          and substring(encrypted_password from '^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$') is not null
        order by 1 limit 1
      )
      union all
      select (
        select substring(encrypted_password from '^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$')
        from auth.users
        where encrypted_password not like '$argon2id$v=19$m=19456,t=2,p=1$%'
          and substring(encrypted_password from '^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$') > kinds.kind
        order by 1 limit 1
      )
      from kinds where kinds.kind is not null
    )
    select kind from kinds where kind is not null
  $$;
revoke execute on function backend.foreign_password_kinds() from public;
grant usage on schema backend to supabase_auth_admin;
grant execute on function backend.foreign_password_kinds() to supabase_auth_admin;
