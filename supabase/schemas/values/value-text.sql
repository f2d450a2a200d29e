-- The number that a value's text stands for: '640M', '1.5b', '1,500,000', '2 T'; null if unpriced, which is not the
-- same as worth 0. Commas and spaces are accepted only as thousands separators, so that '1,5M' is not read as fifteen
-- million. The same grammar as parseValue() in domain/values/value-text.ts; a test keeps the two in sync.
create function private.parse_value_text(value text) returns numeric
  language plpgsql immutable strict parallel safe
  set search_path = ''
  as $$
    declare
      parts text[];
      number numeric;
    begin
      -- Fast path for the usual spelling, since catalogue lists parse thousands of values.
      if value ~ '^[0-9]{1,15}(\.[0-9]{1,6})?[KMBT]?$' then
        return trim_scale(rtrim(value, 'KMBT')::numeric
          * case right(value, 1) when 'K' then 1e3 when 'M' then 1e6 when 'B' then 1e9 when 'T' then 1e12 else 1 end);
      end if;
      -- No column holds more than 20 characters, so longer text need not be parsed.
      if char_length(value) > 400 then
        return null;
      end if;
      parts := regexp_match(
        private.trim_text(value),
        '^((?:[0-9]{1,3}(?:[, \u00a0\u202f][0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?)[ \u00a0\u202f]*([KMBTkmbt])?$'
      );
      if parts is null or parts[1] = '' then
        return null;
      end if;
      number := regexp_replace(parts[1], '[, \u00a0\u202f]', '', 'g')::numeric
        * case lower(parts[2]) when 'k' then 1e3 when 'm' then 1e6 when 'b' then 1e9 when 't' then 1e12 else 1 end;
      -- Larger numbers are infinite in JavaScript.
      return case when number < 1.7976931348623158e308 then trim_scale(number) end;
    end
  $$;
