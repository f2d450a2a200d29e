/** Each query takes the exposed schemas as $1 (an array literal); columns are named after the fields they fill. */

const schemaOids = "(select oid from pg_catalog.pg_namespace where nspname = any($1::text[]))";

export const missingSchemasQuery =
  "select name from unnest($1::text[]) name where name not in (select nspname from pg_catalog.pg_namespace)";

/** Each type with its base type, with domains resolved. */
const baseTypes = `base as (
  select oid, oid as base, typbasetype, typtypmod as modifier from pg_catalog.pg_type
  union all
  select base.oid, t.oid, t.typbasetype, case when t.typbasetype = 0 then base.modifier else t.typtypmod end
  from base join pg_catalog.pg_type t on t.oid = base.typbasetype
)`;

/** Domain names that are media types (RFC 6838 §4.2), or the wildcard type. */
const mediaTypeName = "^([A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*|[*]/[*])$";

export const tablesQuery = `
select c.oid::text as oid, n.nspname as schema, c.relname as name,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment,
  c.relkind in ('v', 'm') as "isView",
  c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) & 8 = 8 as insertable,
  c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) & 4 = 4 as updatable,
  c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) & 16 = 16 as deletable
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition and c.relnamespace in ${schemaOids}
order by n.nspname, c.relname`;

export const columnsQuery = `
with recursive ${baseTypes}
select a.attrelid::text as "tableOid", a.attnum as position, a.attname as name,
  pg_catalog.col_description(a.attrelid, a.attnum) as comment,
  not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as nullable,
  pg_catalog.format_type(b.base, null) as type,
  pg_catalog.format_type(a.atttypid, a.atttypmod) as "nominalType",
  case when b.base in ('bpchar'::regtype, 'varchar'::regtype)
    then nullif(case when a.atttypmod > 0 then a.atttypmod else b.modifier end - 4, -5) end as "maxLength",
  case
    when a.attgenerated <> '' then null
    when a.attidentity <> '' then (
      select pg_catalog.format('nextval(%L)', pg_catalog.format('%I.%I', sn.nspname, s.relname))
      from pg_catalog.pg_depend o join pg_catalog.pg_class s on s.oid = o.objid and s.relkind = 'S'
      join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
      where o.classid = 'pg_class'::regclass and o.refclassid = 'pg_class'::regclass
        and o.refobjid = a.attrelid and o.refobjsubid = a.attnum and o.deptype = 'i'
    )
    when a.atthasdef then pg_catalog.pg_get_expr(d.adbin, d.adrelid)
    else t.typdefault
  end as "defaultExpression",
  array(select e.enumlabel from pg_catalog.pg_enum e where e.enumtypid = b.base order by e.enumsortorder) as "enumValues",
  case when t.typtype = 'd' then (
    select pg_catalog.json_build_object(
      'toJson', max(k.function) filter (where k.castsource = t.oid and k.casttarget = 'json'::regtype),
      'fromJson', max(k.function) filter (where k.castsource = 'json'::regtype and k.casttarget = t.oid),
      'fromText', max(k.function) filter (where k.castsource = 'text'::regtype and k.casttarget = t.oid))
    from (
      select c.castsource, c.casttarget, pg_catalog.format('%I.%I', pn.nspname, p.proname) as function
      from pg_catalog.pg_cast c
      join pg_catalog.pg_proc p on p.oid = c.castfunc
      join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
      where c.castcontext = 'i' and c.castmethod = 'f' and t.oid in (c.castsource, c.casttarget)
    ) k
    having count(*) > 0
  ) end as "representation"
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid
join pg_catalog.pg_type t on t.oid = a.atttypid
join base b on b.oid = a.atttypid and b.typbasetype = 0
left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped
  and c.relkind in ('r', 'v', 'm', 'f', 'p') and c.relnamespace in ${schemaOids}
order by a.attrelid, a.attnum`;

/** Primary keys and unique constraints of all tables: a view may expose tables of hidden schemas. */
export const uniqueKeysQuery = `
select k.conrelid::text as "tableOid", k.contype = 'p' as "isPrimary", k.conkey as columns
from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace
where k.contype in ('p', 'u') and n.nspname not in ('pg_catalog', 'information_schema')
  and $1::text[] is not null`;

export const foreignKeysQuery = `
select k.conname as name, k.conrelid::text as "tableOid", k.confrelid::text as "foreignOid",
  k.conkey as columns, k.confkey as "foreignColumns"
from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace
where k.contype = 'f' and k.conparentid = 0 and n.nspname not in ('pg_catalog', 'information_schema')
  and $1::text[] is not null
order by k.conname, k.conrelid`;

/** The parsed query of each view, in PostgreSQL's node format. */
export const viewsQuery = `
select c.oid::text as oid, r.ev_action::text as definition
from pg_catalog.pg_rewrite r
join pg_catalog.pg_class c on c.oid = r.ev_class
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and r.rulename = '_RETURN'
  and n.nspname not in ('pg_catalog', 'information_schema') and $1::text[] is not null
order by c.oid`;

export const routinesQuery = `
with recursive ${baseTypes}, arguments as (
  select p.oid,
    pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', coalesce(a.name, ''),
      'type', pg_catalog.format_type(a.type, null),
      'wholeType', case a.type
        when 'bit'::regtype then 'bit varying' when 'bit[]'::regtype then 'bit varying[]'
        when 'character'::regtype then 'character varying' when 'character[]'::regtype then 'character varying[]'
        else pg_catalog.format_type(a.type, null) end,
      'required', a.position <= p.pronargs - p.pronargdefaults,
      'variadic', coalesce(a.mode = 'v', false)
    ) order by a.position) as list,
    case count(*) - count(nullif(a.name, ''))
      when 0 then true
      when 1 then count(*) = 1 and bool_and(a.type in ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'xml'::regtype))
      else false
    end as callable
  from pg_catalog.pg_proc p
  cross join lateral (
    select n.name, i.type, i.mode, pg_catalog.row_number() over (order by i.position) as position
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes) with ordinality as i(type, mode, position)
    left join unnest(p.proargnames) with ordinality as n(name, position) on n.position = i.position
    where coalesce(i.mode, 'i') in ('i', 'b', 'v')
  ) a
  where p.pronamespace in ${schemaOids}
  group by p.oid
)
select n.nspname as schema, p.proname as name, pg_catalog.obj_description(p.oid, 'pg_proc') as comment,
  coalesce(a.list, '[]') as params, coalesce(a.callable, true) as callable,
  p.proretset as "isSet",
  case
    when p.prorettype = 'void'::regtype then 'void'
    when t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false) then 'composite'
    else 'scalar'
  end as kind,
  case when d.typtype = 'd' and d.typname ~ '${mediaTypeName}' then d.typname end as "mediaType",
  t.oid = 'bytea'::regtype as "isBytes",
  pg_catalog.format_type(p.prorettype, null) as "returnType",
  case when t.typtype = 'c' then tn.nspname end as "typeSchema",
  case when t.typtype = 'c' then t.typname end as "typeName",
  p.provolatile as volatility,
  p.proconfig as settings,
  p.prorows = 1 or not p.proretset as "toOne",
  case when p.pronargs = 1 and at.typtype = 'c' then atn.nspname end as "argumentSchema",
  case when p.pronargs = 1 and at.typtype = 'c' then at.typname end as "argumentType"
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_type d on d.oid = p.prorettype
join base b on b.oid = d.oid and b.typbasetype = 0
join pg_catalog.pg_type t on t.oid = b.base
join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
left join pg_catalog.pg_type at on at.oid = p.proargtypes[0]
left join pg_catalog.pg_namespace atn on atn.oid = at.typnamespace
left join arguments a on a.oid = p.oid
where p.prokind = 'f' and p.pronamespace in ${schemaOids}
  and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
order by n.nspname, p.proname, p.oid`;

export const mediaHandlersQuery = `
with recursive ${baseTypes}
select d.typname as "mediaType", b.base = 'bytea'::regtype as "isBytes",
  pg_catalog.json_build_object('schema', n.nspname, 'name', p.proname) as aggregate,
  case when a.typtype = 'c' then pg_catalog.json_build_object('schema', an.nspname, 'name', a.typname) end as "rowType"
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_type d on d.oid = p.prorettype and d.typtype = 'd'
join base b on b.oid = d.oid and b.typbasetype = 0
join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
join pg_catalog.pg_namespace an on an.oid = a.typnamespace
where p.prokind = 'a' and p.pronargs = 1 and p.pronamespace in ${schemaOids}
  and d.typname ~ '${mediaTypeName}' and (a.typtype = 'c' or a.oid = 'anyelement'::regtype)
order by p.oid`;

/** Settings of the roles that the login role may switch to, without those that the login role may not make. */
export const roleSettingsQuery = (version: number) => `
select r.rolname as role, s.name, s.value
from pg_catalog.pg_roles r
join pg_catalog.pg_db_role_setting d on d.setrole = r.oid
  and d.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
cross join lateral (
  select pg_catalog.split_part(c, '=', 1) as name, pg_catalog.substr(c, pg_catalog.strpos(c, '=') + 1) as value
  from unnest(d.setconfig) as c
) s
join pg_catalog.pg_settings g on g.name = s.name and (g.context = 'user'${version >= 150_000 ? " or g.context = 'superuser' and pg_catalog.has_parameter_privilege(current_user, g.name, 'set')" : ""})
where pg_catalog.pg_has_role(current_user, r.oid, 'member') and r.rolname <> current_user
  and $1::text[] is not null and s.name <> 'role' and s.name <> 'search_path'
order by r.rolname, s.name`;

export const schemaCommentsQuery = `
select n.nspname as name, pg_catalog.obj_description(n.oid, 'pg_namespace') as comment
from pg_catalog.pg_namespace n where n.oid in ${schemaOids}`;

/** A short text that changes with every definition in the cache; computed from row versions, so it is cheap. */
export const fingerprintQuery = `
select pg_catalog.md5(pg_catalog.concat_ws('/',
  (select pg_catalog.string_agg(c.oid || ' ' || c.xmin, ',' order by c.oid) from pg_catalog.pg_class c where c.relkind in ('r', 'v', 'm', 'f', 'p') and c.relnamespace in ${schemaOids}),
  (select pg_catalog.string_agg(a.attrelid || ' ' || a.attnum || ' ' || a.xmin, ',' order by a.attrelid, a.attnum)
    from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
    where a.attnum > 0 and c.relkind in ('r', 'v', 'm', 'f', 'p') and c.relnamespace in ${schemaOids}),
  (select pg_catalog.string_agg(k.oid || ' ' || k.xmin, ',' order by k.oid) from pg_catalog.pg_constraint k where k.contype in ('p', 'u', 'f')),
  (select pg_catalog.string_agg(r.oid || ' ' || r.xmin, ',' order by r.oid) from pg_catalog.pg_rewrite r where r.ev_class >= 16384),
  (select pg_catalog.string_agg(p.oid || ' ' || p.xmin, ',' order by p.oid) from pg_catalog.pg_proc p where p.pronamespace in ${schemaOids}),
  (select pg_catalog.string_agg(d.objoid || ' ' || d.objsubid || ' ' || d.xmin, ',' order by d.objoid, d.objsubid)
    from pg_catalog.pg_description d where d.objoid >= 16384),
  (select pg_catalog.string_agg(e.oid || ' ' || e.xmin, ',' order by e.oid) from pg_catalog.pg_enum e),
  (select pg_catalog.string_agg(c.oid || ' ' || c.xmin, ',' order by c.oid) from pg_catalog.pg_cast c where c.oid >= 16384)
)) as fingerprint`;
