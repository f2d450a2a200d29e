-- One sign can stand for a whole sentence: a thousand times U+FDFA is eighteen thousand letters, which cost the filters
-- seconds. No language writes so; a few such signs in a text are let through.

create or replace function private.refuse_unsafe_text(value text) returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      refusal constant text := case
        when char_length(normalize(value, nfkd)) > 4 * char_length(value) + 100
          then 'Please write with letters: too many signs of this text stand for whole words'
        else private.find_unsafe(value)
      end;
    begin
      if refusal is not null then
        raise exception using errcode = 'check_violation', message = refusal;
      end if;
    end
  $$;
