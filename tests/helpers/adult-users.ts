import { runOn } from "./run-on.ts";

/**
 * Makes every new account in the database at `url` an adult and listed. The age question itself (supabase/schemas/age)
 * has its own tests; all others start past it.
 */
export async function makeNewUsersAdults(url: string): Promise<void> {
  await runOn(url, MAKE_ADULT);
}

const MAKE_ADULT = `
  create schema if not exists tests;
  create or replace function tests.make_adult() returns trigger
    language plpgsql security definer
    set search_path = ''
    as $$
      begin
        if not (select is_anonymous from auth.users where id = new.id) then
          insert into public.age_bands (user_id, band) values (new.id, '18-or-older') on conflict do nothing;
          update public.profiles set listed = true where id = new.id;
        end if;
        return null;
      end
    $$;
  create or replace trigger make_adult after insert on public.profiles
    for each row execute function tests.make_adult();`;
