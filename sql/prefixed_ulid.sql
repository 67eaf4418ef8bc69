-- prefixed_ulid 1.0.0: the type. The Makefile puts the other parts of the script behind this one.
-- Order: type, functions, casts, operators, operator classes, aggregates. Names are not qualified:
-- the control file fixes the schema pg_catalog.

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION prefixed_ulid" to load this file. \quit

--
-- Type
--

CREATE TYPE pulid;

CREATE FUNCTION pulid_in(cstring, oid, integer) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_in(cstring, oid, integer) IS
    'I/O: reads [prefix_]body, case folded; 22P02 if malformed, 23514 if the modifier has another '
    'prefix, 22023 if it is a number that stands for none';

CREATE FUNCTION pulid_out(pulid) RETURNS cstring
    AS 'MODULE_PATHNAME', 'pulid_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_out(pulid) IS
    'I/O: the canonical text, lower case, at most 90 characters';

CREATE FUNCTION pulid_recv(internal, oid, integer) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_recv(internal, oid, integer) IS
    'I/O: reads what pulid_in reads, from the wire; 22P03 if malformed, 23514 if the modifier has '
    'another prefix, 22023 if it is a number that stands for none';

CREATE FUNCTION pulid_send(pulid) RETURNS bytea
    AS 'MODULE_PATHNAME', 'pulid_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_send(pulid) IS
    'I/O: the canonical text, so that a driver that reads strings reads ids';

CREATE FUNCTION pulid_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_typmod_in(cstring[]) IS
    'I/O typmod: packs a prefix of at most 6 characters; 22023 if malformed or longer';

CREATE FUNCTION pulid_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'pulid_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_typmod_out(integer) IS
    'I/O typmod: the prefix, quoted: (''prd'')';

CREATE FUNCTION pulid_typanalyze(internal) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_typanalyze' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_typanalyze(internal) IS
    'ANALYZE: the usual statistics, and the share of each prefix';

-- Plain storage: ids are never compressed or moved out, and no table gets a TOAST table for them.
CREATE TYPE pulid (
    INPUT = pulid_in,
    OUTPUT = pulid_out,
    RECEIVE = pulid_recv,
    SEND = pulid_send,
    TYPMOD_IN = pulid_typmod_in,
    TYPMOD_OUT = pulid_typmod_out,
    ANALYZE = pulid_typanalyze,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = int4,
    STORAGE = plain,
    CATEGORY = 'U'
);
COMMENT ON TYPE pulid IS
    'prefixed ULID such as prd_01jq3v8f6a7b2c8d9e0f1g2h3j; pulid(''prd'') takes only this prefix, '
    'pulid('''') only bare ULIDs';

-- PostgreSQL 17 and later make array types members by themselves; postgres_fdw sends constants of
-- members only, such as the list of an IN.
DO LANGUAGE plpgsql $$
BEGIN
    IF current_setting('server_version_num')::integer < 170000 THEN
        ALTER EXTENSION prefixed_ulid ADD TYPE pulid[];
    END IF;
END $$;

-- Drops the coercion below where the source has the modifier already. Functions whose first
-- argument is the prefix of the id that they return name it too: that is how it knows them.
CREATE FUNCTION pulid_modifier_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_modifier_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_modifier_support(internal) IS
    'planner support for the coercion to pulid(prefix)';

-- Planner support of the predicates that hold for a range of ids.
CREATE FUNCTION pulid_has_prefix_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_has_prefix_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_has_prefix_support(internal) IS 'planner support for pulid_has_prefix';

CREATE FUNCTION pulid_starts_with_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_starts_with_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_starts_with_support(internal) IS 'planner support for ^@';

CREATE FUNCTION pulid_created_between_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_created_between_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_created_between_support(internal) IS
    'planner support for pulid_created_between';

CREATE FUNCTION pulid_coerce(pulid, integer, boolean) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_coerce' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_coerce(pulid, integer, boolean) IS
    'checks an id against the modifier of pulid(prefix); 23514 if it has another prefix, 22023 if '
    'the modifier is a number that stands for none';

--
-- Generators
--

CREATE FUNCTION pulid_generate(prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_generate' LANGUAGE C VOLATILE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_generate(text) IS
    'new id: 48 bits of Unix milliseconds, 12 bits of the millisecond, 68 random bits; bodies '
    'strictly increase within a process (a parallel worker is one of its own); 22023 if the '
    'prefix is malformed';

CREATE FUNCTION pulid_generate() RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_generate_bare' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_generate() IS
    'new bare ULID, as pulid_generate('''')';

CREATE FUNCTION pulid_generate(prefix text, created_at timestamptz) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_generate_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_generate(text, timestamptz) IS
    'new id of a given instant, for backfills: distinct microseconds stay in order, the rest is '
    'random; 22023 if the prefix is malformed, 22008 outside 1970 to 10889-08-02 05:31:50.655 UTC';

CREATE FUNCTION pulid_generate_v7(prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_generate_v7' LANGUAGE C VOLATILE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_generate_v7(text) IS
    'new TypeID: the body is a UUIDv7 (RFC 9562), 48 bits of Unix milliseconds, 12 bits of the '
    'millisecond, 62 random bits; strictly increasing within a process; 22023 if the prefix is '
    'malformed';

CREATE FUNCTION pulid_generate_v4(prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_generate_v4' LANGUAGE C VOLATILE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_generate_v4(text) IS
    'new opaque id: the body is a UUIDv4 (RFC 9562), which reveals no time and has no order; '
    '22023 if the prefix is malformed';

CREATE FUNCTION pulid_generate_monotonic(prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_generate_monotonic' LANGUAGE C VOLATILE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_generate_monotonic(text) IS
    'new id, strictly increasing over all sessions until the server restarts: 48 bits of Unix '
    'milliseconds, a 16-bit counter, 64 random bits; 55000 before PostgreSQL 17 unless '
    'prefixed_ulid is in shared_preload_libraries, 22023 if the prefix is malformed';

--
-- Take apart
--

CREATE FUNCTION pulid_prefix(pulid) RETURNS text
    AS 'MODULE_PATHNAME', 'pulid_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_prefix(pulid) IS
    'the prefix without its underscore; empty for a bare ULID';

CREATE FUNCTION pulid_ulid(pulid) RETURNS text
    AS 'MODULE_PATHNAME', 'pulid_ulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_ulid(pulid) IS
    'the 26 characters of the body';

CREATE FUNCTION pulid_timestamp(pulid) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'pulid_timestamp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_timestamp(pulid) IS
    'the instant in the first 48 bits, in whole milliseconds (ULID specification); noise for a '
    'version 4 body';

CREATE FUNCTION pulid_uuid(pulid) RETURNS uuid
    AS 'MODULE_PATHNAME', 'pulid_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_uuid(pulid) IS
    'the 128 bits of the body as they are, whatever version they read as';

CREATE FUNCTION pulid_inspect(pulid, OUT prefix text, OUT ulid text, OUT created_at timestamptz,
                              OUT uuid uuid, OUT random text)
    AS 'MODULE_PATHNAME', 'pulid_inspect' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_inspect(pulid) IS
    'all parts of an id in one row; random is the last 80 bits in hexadecimal';

CREATE FUNCTION pulid_extract(text) RETURNS pulid[]
    AS 'MODULE_PATHNAME', 'pulid_extract' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_extract(text) IS
    'every id in a piece of text, in order: maximal runs of A-Z a-z 0-9 _ that are well-formed; '
    '26 digits alone do not count';

--
-- Put together
--

CREATE FUNCTION pulid_from_uuid(prefix text, uuid) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_from_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_from_uuid(text, uuid) IS
    'the id with this prefix and these 128 bits; 22023 if the prefix is malformed';

CREATE FUNCTION pulid_from_uuid(uuid) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_from_uuid_bare' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_from_uuid(uuid) IS
    'the bare ULID with these 128 bits';

CREATE FUNCTION pulid_with_prefix(pulid, prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_with_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_with_prefix(pulid, text) IS
    'a bare ULID with a prefix put before it; 23514 if the id has another prefix already, 22023 '
    'if the prefix is malformed';

CREATE FUNCTION pulid_strip_prefix(pulid) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_strip_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_strip_prefix(pulid) IS
    'the id without its prefix, a bare ULID';

--
-- Check
--

CREATE FUNCTION pulid_has_prefix(pulid, prefix text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_has_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
    SUPPORT pulid_has_prefix_support;
COMMENT ON FUNCTION pulid_has_prefix(pulid, text) IS
    'whether the id has exactly this prefix; false, never an error, for a malformed one';

CREATE FUNCTION pulid_is_canonical(text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_is_canonical' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_is_canonical(text) IS
    'whether a text is an id in its canonical form, lower case; never an error';

CREATE FUNCTION pulid_is_canonical(text, prefix text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_is_canonical_with_prefix'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_is_canonical(text, text) IS
    'whether a text is an id of this prefix in its canonical form, for CHECK on text columns; '
    'never an error';

CREATE FUNCTION pulid_is_valid(text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_is_valid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_is_valid(text) IS
    'whether pulid_parse would accept a text, case folded; never an error';

CREATE FUNCTION pulid_is_valid(text, prefix text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_is_valid_with_prefix'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_is_valid(text, text) IS
    'whether pulid_parse would accept a text with this prefix, case folded; never an error';

--
-- Parse
--

CREATE FUNCTION pulid_parse(text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_parse' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_parse(text) IS
    'the id that a text is, case folded; 22P02 if malformed';

CREATE FUNCTION pulid_parse(text, prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_parse_with_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_parse(text, text) IS
    'the id of this prefix that a text is, case folded; 22P02 if malformed, 23514 if it has '
    'another prefix, 22023 if the prefix is malformed';

CREATE FUNCTION pulid_try_parse(text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_try_parse' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_try_parse(text) IS
    'the id that a text is, case folded; NULL if malformed';

CREATE FUNCTION pulid_try_parse(text, prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_try_parse_with_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_try_parse(text, text) IS
    'the id of this prefix that a text is, case folded; NULL if malformed or of another prefix, '
    '22023 if the prefix is malformed';

CREATE FUNCTION pulid_problem(text, prefix text) RETURNS text
    AS 'MODULE_PATHNAME', 'pulid_problem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_problem(text, text) IS
    'why pulid_parse would refuse a text with this prefix, in a sentence; NULL if it would not; '
    '22023 if the prefix is malformed';

CREATE FUNCTION pulid_tidy(text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_tidy' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_tidy(text) IS
    'the id that a person typed: blanks, hyphens, case, and in the body i l for 1, o for 0, are '
    'forgiven; NULL if hopeless or ambiguous';

CREATE FUNCTION pulid_tidy(text, prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_tidy_with_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_tidy(text, text) IS
    'as pulid_tidy(text), with underscores that may be missing or typed as blanks or hyphens; '
    'NULL also for another prefix, 22023 if the prefix is malformed';

--
-- Ranges
--

CREATE FUNCTION pulid_min(prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_min' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_min(text) IS
    'the smallest id of a prefix; 22023 if the prefix is malformed';

CREATE FUNCTION pulid_max(prefix text) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_max' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_max(text) IS
    'the largest id of a prefix; 22023 if the prefix is malformed';

CREATE FUNCTION pulid_lower_bound(prefix text, since timestamptz) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_lower_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_lower_bound(text, timestamptz) IS
    'the smallest id whose pulid_timestamp is not before an instant; 22008 after 10889-08-02 '
    '05:31:50.655 UTC, 22023 if the prefix is malformed';

CREATE FUNCTION pulid_upper_bound(prefix text, until timestamptz) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_upper_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pulid_modifier_support;
COMMENT ON FUNCTION pulid_upper_bound(text, timestamptz) IS
    'the largest id whose pulid_timestamp is not after an instant; 22008 before 1970, 22023 if '
    'the prefix is malformed';

CREATE FUNCTION pulid_created_between(pulid, since timestamptz, until timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_created_between'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
    SUPPORT pulid_created_between_support;
COMMENT ON FUNCTION pulid_created_between(pulid, timestamptz, timestamptz) IS
    'whether pulid_timestamp is at or after since and before until; never an error';

--
-- Casts: none is implicit but the one that enforces the modifier, so no existing query on text or
-- uuid changes its meaning.
--

CREATE FUNCTION pulid_text(pulid) RETURNS text
    AS 'MODULE_PATHNAME', 'pulid_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_text(pulid) IS
    'the canonical text, for the cast';

CREATE CAST (pulid AS pulid) WITH FUNCTION pulid_coerce(pulid, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (pulid AS pulid) IS
    'enforces the prefix of pulid(prefix); never changes an id';
CREATE CAST (text AS pulid) WITH FUNCTION pulid_parse(text) AS ASSIGNMENT;
COMMENT ON CAST (text AS pulid) IS
    'parses; 22P02 if malformed';
CREATE CAST (varchar AS pulid) WITH FUNCTION pulid_parse(text) AS ASSIGNMENT;
COMMENT ON CAST (varchar AS pulid) IS
    'parses; 22P02 if malformed';
CREATE CAST (pulid AS text) WITH FUNCTION pulid_text(pulid) AS ASSIGNMENT;
COMMENT ON CAST (pulid AS text) IS
    'the canonical text';
CREATE CAST (pulid AS uuid) WITH FUNCTION pulid_uuid(pulid);
COMMENT ON CAST (pulid AS uuid) IS
    'the 128 bits of the body, without the prefix';
CREATE CAST (uuid AS pulid) WITH FUNCTION pulid_from_uuid(uuid);
COMMENT ON CAST (uuid AS pulid) IS
    'a bare ULID of the same 128 bits';
CREATE CAST (pulid AS timestamptz) WITH FUNCTION pulid_timestamp(pulid);
COMMENT ON CAST (pulid AS timestamptz) IS
    'the instant in the first 48 bits';

--
-- Operators: byte order of the canonical text. Between pulid and text nothing is parsed, so nothing
-- can fail: text that is no id is simply not equal.
--

CREATE FUNCTION pulid_lt(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_lt(pulid, pulid) IS 'implementation of < operator';

CREATE FUNCTION pulid_le(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_le(pulid, pulid) IS 'implementation of <= operator';

CREATE FUNCTION pulid_eq(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_eq(pulid, pulid) IS 'implementation of = operator';

CREATE FUNCTION pulid_ne(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_ne(pulid, pulid) IS 'implementation of <> operator';

CREATE FUNCTION pulid_ge(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_ge(pulid, pulid) IS 'implementation of >= operator';

CREATE FUNCTION pulid_gt(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_gt(pulid, pulid) IS 'implementation of > operator';

CREATE FUNCTION pulid_cmp(pulid, pulid) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_cmp(pulid, pulid) IS 'less-equal-greater: ids';

CREATE FUNCTION pulid_lt_text(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_lt_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_lt_text(pulid, text) IS 'implementation of < operator';

CREATE FUNCTION pulid_le_text(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_le_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_le_text(pulid, text) IS 'implementation of <= operator';

CREATE FUNCTION pulid_eq_text(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_eq_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_eq_text(pulid, text) IS 'implementation of = operator';

CREATE FUNCTION pulid_ne_text(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_ne_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_ne_text(pulid, text) IS 'implementation of <> operator';

CREATE FUNCTION pulid_ge_text(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_ge_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_ge_text(pulid, text) IS 'implementation of >= operator';

CREATE FUNCTION pulid_gt_text(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_gt_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_gt_text(pulid, text) IS 'implementation of > operator';

CREATE FUNCTION pulid_cmp_text(pulid, text) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_cmp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_cmp_text(pulid, text) IS 'less-equal-greater: id and text, bytewise';

CREATE FUNCTION text_lt_pulid(text, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'text_lt_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_lt_pulid(text, pulid) IS 'implementation of < operator';

CREATE FUNCTION text_le_pulid(text, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'text_le_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_le_pulid(text, pulid) IS 'implementation of <= operator';

CREATE FUNCTION text_eq_pulid(text, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'text_eq_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_eq_pulid(text, pulid) IS 'implementation of = operator';

CREATE FUNCTION text_ne_pulid(text, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'text_ne_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_ne_pulid(text, pulid) IS 'implementation of <> operator';

CREATE FUNCTION text_ge_pulid(text, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'text_ge_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_ge_pulid(text, pulid) IS 'implementation of >= operator';

CREATE FUNCTION text_gt_pulid(text, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'text_gt_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_gt_pulid(text, pulid) IS 'implementation of > operator';

CREATE FUNCTION text_cmp_pulid(text, pulid) RETURNS integer
    AS 'MODULE_PATHNAME', 'text_cmp_pulid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION text_cmp_pulid(text, pulid) IS 'less-equal-greater: text and id, bytewise';

CREATE OPERATOR < (
    LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (pulid, pulid) IS 'less than';

CREATE OPERATOR <= (
    LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (pulid, pulid) IS 'less than or equal';

CREATE OPERATOR = (
    LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
COMMENT ON OPERATOR = (pulid, pulid) IS 'equal';

CREATE OPERATOR <> (
    LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (pulid, pulid) IS 'not equal';

CREATE OPERATOR >= (
    LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (pulid, pulid) IS 'greater than or equal';

CREATE OPERATOR > (
    LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (pulid, pulid) IS 'greater than';

CREATE OPERATOR < (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_lt_text,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (pulid, text) IS 'less than, by the bytes of the canonical text';

CREATE OPERATOR <= (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_le_text,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (pulid, text) IS 'less than or equal, by the bytes of the canonical text';

CREATE OPERATOR = (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_eq_text,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
COMMENT ON OPERATOR = (pulid, text) IS 'equal, by the bytes of the canonical text';

CREATE OPERATOR <> (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_ne_text,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (pulid, text) IS 'not equal, by the bytes of the canonical text';

CREATE OPERATOR >= (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_ge_text,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (pulid, text) IS 'greater than or equal, by the bytes of the canonical text';

CREATE OPERATOR > (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_gt_text,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (pulid, text) IS 'greater than, by the bytes of the canonical text';

CREATE OPERATOR < (
    LEFTARG = text, RIGHTARG = pulid, FUNCTION = text_lt_pulid,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (text, pulid) IS 'less than, by the bytes of the canonical text';

CREATE OPERATOR <= (
    LEFTARG = text, RIGHTARG = pulid, FUNCTION = text_le_pulid,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (text, pulid) IS 'less than or equal, by the bytes of the canonical text';

CREATE OPERATOR = (
    LEFTARG = text, RIGHTARG = pulid, FUNCTION = text_eq_pulid,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
COMMENT ON OPERATOR = (text, pulid) IS 'equal, by the bytes of the canonical text';

CREATE OPERATOR <> (
    LEFTARG = text, RIGHTARG = pulid, FUNCTION = text_ne_pulid,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (text, pulid) IS 'not equal, by the bytes of the canonical text';

CREATE OPERATOR >= (
    LEFTARG = text, RIGHTARG = pulid, FUNCTION = text_ge_pulid,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (text, pulid) IS 'greater than or equal, by the bytes of the canonical text';

CREATE OPERATOR > (
    LEFTARG = text, RIGHTARG = pulid, FUNCTION = text_gt_pulid,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (text, pulid) IS 'greater than, by the bytes of the canonical text';

-- Only there to complete the hash family, which pairs text with text. It is not = because text
-- has that already, and its meaning depends on a collation.
CREATE FUNCTION pulid_text_bytewise_eq(text, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_text_bytewise_eq'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_text_bytewise_eq(text, text) IS 'implementation of ~=~ operator';

CREATE OPERATOR ~=~ (
    LEFTARG = text, RIGHTARG = text, FUNCTION = pulid_text_bytewise_eq,
    COMMUTATOR = ~=~,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
COMMENT ON OPERATOR ~=~ (text, text) IS
    'equal bytes; internal, completes the hash operator family of pulid';

CREATE FUNCTION pulid_starts_with(pulid, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_starts_with'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
    SUPPORT pulid_starts_with_support;
COMMENT ON FUNCTION pulid_starts_with(pulid, text) IS
    'whether the canonical text begins with a text, bytewise; never an error';

CREATE OPERATOR ^@ (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_starts_with,
    RESTRICT = matchingsel, JOIN = matchingjoinsel
);
COMMENT ON OPERATOR ^@ (pulid, text) IS
    'starts with: ''prd'' also finds prda_..., ''prd_'' does not';

-- Patterns, which clients use for search boxes, mean those of the canonical text. The planner puts
-- the bodies in place, so id LIKE $1 is id::text LIKE $1 in every respect.

CREATE FUNCTION pulid_like(pulid, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN $1::text LIKE $2;
COMMENT ON FUNCTION pulid_like(pulid, text) IS
    'whether the canonical text matches a LIKE pattern; 22025 if the pattern ends in its escape';

CREATE FUNCTION pulid_not_like(pulid, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN $1::text NOT LIKE $2;
COMMENT ON FUNCTION pulid_not_like(pulid, text) IS
    'whether the canonical text does not match a LIKE pattern; 22025 if the pattern ends in its '
    'escape';

CREATE FUNCTION pulid_ilike(pulid, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN $1::text ILIKE $2;
COMMENT ON FUNCTION pulid_ilike(pulid, text) IS
    'whether the canonical text matches a LIKE pattern in any case; 22025 if the pattern ends in '
    'its escape';

CREATE FUNCTION pulid_not_ilike(pulid, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN $1::text NOT ILIKE $2;
COMMENT ON FUNCTION pulid_not_ilike(pulid, text) IS
    'whether the canonical text does not match a LIKE pattern in any case; 22025 if the pattern '
    'ends in its escape';

CREATE OPERATOR ~~ (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_like, NEGATOR = !~~,
    RESTRICT = likesel, JOIN = likejoinsel
);
COMMENT ON OPERATOR ~~ (pulid, text) IS
    'LIKE: no index of ids serves it, and _ stands for any character; ^@ does better';

CREATE OPERATOR !~~ (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_not_like, NEGATOR = ~~,
    RESTRICT = nlikesel, JOIN = nlikejoinsel
);
COMMENT ON OPERATOR !~~ (pulid, text) IS 'NOT LIKE';

CREATE OPERATOR ~~* (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_ilike, NEGATOR = !~~*,
    RESTRICT = iclikesel, JOIN = iclikejoinsel
);
COMMENT ON OPERATOR ~~* (pulid, text) IS 'ILIKE';

CREATE OPERATOR !~~* (
    LEFTARG = pulid, RIGHTARG = text, FUNCTION = pulid_not_ilike, NEGATOR = ~~*,
    RESTRICT = icnlikesel, JOIN = icnlikejoinsel
);
COMMENT ON OPERATOR !~~* (pulid, text) IS 'NOT ILIKE';

--
-- Internal: what the planner makes of pulid_has_prefix, pulid_created_between and ^@. A bound is
-- one end of a range of ids and knows the other one, for estimates. No function but the input
-- function raises an error.
--

CREATE TYPE pulid_bound;

CREATE FUNCTION pulid_bound_in(cstring) RETURNS pulid_bound
    AS 'MODULE_PATHNAME', 'pulid_bound_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_bound_in(cstring) IS
    'I/O: internal, reads what pulid_bound_out printed; 22P02 beyond 90 bytes';

CREATE FUNCTION pulid_bound_out(pulid_bound) RETURNS cstring
    AS 'MODULE_PATHNAME', 'pulid_bound_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_bound_out(pulid_bound) IS
    'I/O: internal, for EXPLAIN and foreign servers';

CREATE TYPE pulid_bound (
    INPUT = pulid_bound_in,
    OUTPUT = pulid_bound_out,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = int4,
    STORAGE = plain,
    CATEGORY = 'U'
);
COMMENT ON TYPE pulid_bound IS
    'internal: one end of a range of ids, in conditions that the planner derives';

CREATE FUNCTION pulid_prefix_bound(prefix text, upper boolean) RETURNS pulid_bound
    AS 'MODULE_PATHNAME', 'pulid_prefix_bound'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_prefix_bound(text, boolean) IS
    'internal: an end of the range of pulid_has_prefix';

CREATE FUNCTION pulid_beginning_bound(beginning text, upper boolean) RETURNS pulid_bound
    AS 'MODULE_PATHNAME', 'pulid_beginning_bound'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_beginning_bound(text, boolean) IS
    'internal: an end of the range of ^@';

CREATE FUNCTION pulid_created_bound(prefix text, since timestamptz, until timestamptz,
                                    upper boolean) RETURNS pulid_bound
    AS 'MODULE_PATHNAME', 'pulid_created_bound'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_created_bound(text, timestamptz, timestamptz, boolean) IS
    'internal: an end of the range of pulid_created_between';

CREATE FUNCTION pulid_below_bound_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'pulid_below_bound_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_below_bound_sel(internal, oid, internal, integer) IS
    'internal: restriction selectivity of < and <= with a bound';

CREATE FUNCTION pulid_above_bound_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'pulid_above_bound_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_above_bound_sel(internal, oid, internal, integer) IS
    'internal: restriction selectivity of > and >= with a bound';

CREATE FUNCTION pulid_lt_bound(pulid, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_lt_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_lt_bound(pulid, pulid_bound) IS 'implementation of < operator';

CREATE FUNCTION pulid_le_bound(pulid, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_le_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_le_bound(pulid, pulid_bound) IS 'implementation of <= operator';

CREATE FUNCTION pulid_eq_bound(pulid, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_eq_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_eq_bound(pulid, pulid_bound) IS 'implementation of = operator';

CREATE FUNCTION pulid_ge_bound(pulid, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_ge_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_ge_bound(pulid, pulid_bound) IS 'implementation of >= operator';

CREATE FUNCTION pulid_gt_bound(pulid, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_gt_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_gt_bound(pulid, pulid_bound) IS 'implementation of > operator';

CREATE FUNCTION pulid_cmp_bound(pulid, pulid_bound) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_cmp_bound' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_cmp_bound(pulid, pulid_bound) IS 'less-equal-greater';

CREATE FUNCTION pulid_bound_lt_id(pulid_bound, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_lt_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_lt_id(pulid_bound, pulid) IS 'implementation of < operator';

CREATE FUNCTION pulid_bound_le_id(pulid_bound, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_le_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_le_id(pulid_bound, pulid) IS 'implementation of <= operator';

CREATE FUNCTION pulid_bound_eq_id(pulid_bound, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_eq_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_eq_id(pulid_bound, pulid) IS 'implementation of = operator';

CREATE FUNCTION pulid_bound_ge_id(pulid_bound, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_ge_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_ge_id(pulid_bound, pulid) IS 'implementation of >= operator';

CREATE FUNCTION pulid_bound_gt_id(pulid_bound, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_gt_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_gt_id(pulid_bound, pulid) IS 'implementation of > operator';

CREATE FUNCTION pulid_bound_cmp_id(pulid_bound, pulid) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_bound_cmp_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_cmp_id(pulid_bound, pulid) IS 'less-equal-greater';

CREATE FUNCTION pulid_bound_lt(pulid_bound, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_lt(pulid_bound, pulid_bound) IS 'implementation of < operator';

CREATE FUNCTION pulid_bound_le(pulid_bound, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_le(pulid_bound, pulid_bound) IS 'implementation of <= operator';

CREATE FUNCTION pulid_bound_eq(pulid_bound, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_eq(pulid_bound, pulid_bound) IS 'implementation of = operator';

CREATE FUNCTION pulid_bound_ge(pulid_bound, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_ge(pulid_bound, pulid_bound) IS 'implementation of >= operator';

CREATE FUNCTION pulid_bound_gt(pulid_bound, pulid_bound) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_bound_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_gt(pulid_bound, pulid_bound) IS 'implementation of > operator';

CREATE FUNCTION pulid_bound_cmp(pulid_bound, pulid_bound) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_bound_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_bound_cmp(pulid_bound, pulid_bound) IS 'less-equal-greater';

CREATE OPERATOR < (
    LEFTARG = pulid, RIGHTARG = pulid_bound, FUNCTION = pulid_lt_bound,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = pulid_below_bound_sel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (pulid, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR <= (
    LEFTARG = pulid, RIGHTARG = pulid_bound, FUNCTION = pulid_le_bound,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = pulid_below_bound_sel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (pulid, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR = (
    LEFTARG = pulid, RIGHTARG = pulid_bound, FUNCTION = pulid_eq_bound,
    COMMUTATOR = =,
    RESTRICT = eqsel, JOIN = eqjoinsel
);
COMMENT ON OPERATOR = (pulid, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR >= (
    LEFTARG = pulid, RIGHTARG = pulid_bound, FUNCTION = pulid_ge_bound,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = pulid_above_bound_sel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (pulid, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR > (
    LEFTARG = pulid, RIGHTARG = pulid_bound, FUNCTION = pulid_gt_bound,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = pulid_above_bound_sel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (pulid, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR < (
    LEFTARG = pulid_bound, RIGHTARG = pulid, FUNCTION = pulid_bound_lt_id,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = pulid_below_bound_sel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (pulid_bound, pulid) IS 'internal: byte order of texts';

CREATE OPERATOR <= (
    LEFTARG = pulid_bound, RIGHTARG = pulid, FUNCTION = pulid_bound_le_id,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = pulid_below_bound_sel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (pulid_bound, pulid) IS 'internal: byte order of texts';

CREATE OPERATOR = (
    LEFTARG = pulid_bound, RIGHTARG = pulid, FUNCTION = pulid_bound_eq_id,
    COMMUTATOR = =,
    RESTRICT = eqsel, JOIN = eqjoinsel
);
COMMENT ON OPERATOR = (pulid_bound, pulid) IS 'internal: byte order of texts';

CREATE OPERATOR >= (
    LEFTARG = pulid_bound, RIGHTARG = pulid, FUNCTION = pulid_bound_ge_id,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = pulid_above_bound_sel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (pulid_bound, pulid) IS 'internal: byte order of texts';

CREATE OPERATOR > (
    LEFTARG = pulid_bound, RIGHTARG = pulid, FUNCTION = pulid_bound_gt_id,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = pulid_above_bound_sel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (pulid_bound, pulid) IS 'internal: byte order of texts';

CREATE OPERATOR < (
    LEFTARG = pulid_bound, RIGHTARG = pulid_bound, FUNCTION = pulid_bound_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (pulid_bound, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR <= (
    LEFTARG = pulid_bound, RIGHTARG = pulid_bound, FUNCTION = pulid_bound_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (pulid_bound, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR = (
    LEFTARG = pulid_bound, RIGHTARG = pulid_bound, FUNCTION = pulid_bound_eq,
    COMMUTATOR = =,
    RESTRICT = eqsel, JOIN = eqjoinsel
);
COMMENT ON OPERATOR = (pulid_bound, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR >= (
    LEFTARG = pulid_bound, RIGHTARG = pulid_bound, FUNCTION = pulid_bound_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (pulid_bound, pulid_bound) IS 'internal: byte order of texts';

CREATE OPERATOR > (
    LEFTARG = pulid_bound, RIGHTARG = pulid_bound, FUNCTION = pulid_bound_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (pulid_bound, pulid_bound) IS 'internal: byte order of texts';

--
-- Operator classes
--

CREATE FUNCTION pulid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME', 'pulid_sortsupport' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_sortsupport(internal) IS 'sort support';

CREATE FUNCTION pulid_hash(pulid) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_hash(pulid) IS 'hash';

CREATE FUNCTION pulid_hash_extended(pulid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'pulid_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_hash_extended(pulid, bigint) IS 'hash with seed';

CREATE FUNCTION pulid_hash_text(text) RETURNS integer
    AS 'MODULE_PATHNAME', 'pulid_hash_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_hash_text(text) IS 'hash; a canonical id in a text hashes as the id';

CREATE FUNCTION pulid_hash_text_extended(text, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'pulid_hash_text_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_hash_text_extended(text, bigint) IS
    'hash with seed; a canonical id in a text hashes as the id';

CREATE FUNCTION pulid_brin_distance(internal, internal) RETURNS double precision
    AS 'MODULE_PATHNAME', 'pulid_brin_distance' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_brin_distance(internal, internal) IS 'BRIN multi minmax distance';

CREATE FUNCTION pulid_gist_consistent(internal, pulid, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_gist_consistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_gist_consistent(internal, pulid, smallint, oid, internal) IS
    'GiST support: whether ids below an entry can satisfy an operator';

CREATE FUNCTION pulid_gist_union(internal, internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'pulid_gist_union' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_gist_union(internal, internal) IS
    'GiST support: the range of ids that holds all entries';

CREATE FUNCTION pulid_gist_penalty(internal, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_gist_penalty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_gist_penalty(internal, internal, internal) IS
    'GiST support: how far a range has to grow for a new entry';

CREATE FUNCTION pulid_gist_picksplit(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_gist_picksplit' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_gist_picksplit(internal, internal) IS
    'GiST support: divides the entries of a full page';

CREATE FUNCTION pulid_gist_same(bytea, bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'pulid_gist_same' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_gist_same(bytea, bytea, internal) IS
    'GiST support: whether two ranges are equal';

CREATE OPERATOR FAMILY pulid_ops USING btree;
COMMENT ON OPERATOR FAMILY pulid_ops USING btree IS 'byte order of ids, also against text';

CREATE OPERATOR CLASS pulid_ops DEFAULT FOR TYPE pulid USING btree FAMILY pulid_ops AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 pulid_cmp(pulid, pulid),
    FUNCTION 2 pulid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS pulid_ops USING btree IS 'byte order of ids';

-- The comparison of text with text sorts the elements of a text array that is a search key. There
-- are no (text, text) operators: with an equality among them, foreign keys from text to pulid
-- columns would be accepted and then fail on every DELETE of the referenced table.
ALTER OPERATOR FAMILY pulid_ops USING btree ADD
    OPERATOR 1 < (pulid, text),
    OPERATOR 2 <= (pulid, text),
    OPERATOR 3 = (pulid, text),
    OPERATOR 4 >= (pulid, text),
    OPERATOR 5 > (pulid, text),
    FUNCTION 1 (pulid, text) pulid_cmp_text(pulid, text),
    OPERATOR 1 < (text, pulid),
    OPERATOR 2 <= (text, pulid),
    OPERATOR 3 = (text, pulid),
    OPERATOR 4 >= (text, pulid),
    OPERATOR 5 > (text, pulid),
    FUNCTION 1 (text, pulid) text_cmp_pulid(text, pulid),
    FUNCTION 1 (text, text) bttext_pattern_cmp(text, text);

-- What the planner derives. Nobody writes bounds, so there are none of them against text.
ALTER OPERATOR FAMILY pulid_ops USING btree ADD
    OPERATOR 1 < (pulid, pulid_bound),
    OPERATOR 2 <= (pulid, pulid_bound),
    OPERATOR 3 = (pulid, pulid_bound),
    OPERATOR 4 >= (pulid, pulid_bound),
    OPERATOR 5 > (pulid, pulid_bound),
    FUNCTION 1 (pulid, pulid_bound) pulid_cmp_bound(pulid, pulid_bound),
    OPERATOR 1 < (pulid_bound, pulid),
    OPERATOR 2 <= (pulid_bound, pulid),
    OPERATOR 3 = (pulid_bound, pulid),
    OPERATOR 4 >= (pulid_bound, pulid),
    OPERATOR 5 > (pulid_bound, pulid),
    FUNCTION 1 (pulid_bound, pulid) pulid_bound_cmp_id(pulid_bound, pulid),
    OPERATOR 1 < (pulid_bound, pulid_bound),
    OPERATOR 2 <= (pulid_bound, pulid_bound),
    OPERATOR 3 = (pulid_bound, pulid_bound),
    OPERATOR 4 >= (pulid_bound, pulid_bound),
    OPERATOR 5 > (pulid_bound, pulid_bound),
    FUNCTION 1 (pulid_bound, pulid_bound) pulid_bound_cmp(pulid_bound, pulid_bound);

CREATE OPERATOR FAMILY pulid_ops USING hash;
COMMENT ON OPERATOR FAMILY pulid_ops USING hash IS 'equal bytes of ids and texts';

CREATE OPERATOR CLASS pulid_ops DEFAULT FOR TYPE pulid USING hash FAMILY pulid_ops AS
    OPERATOR 1 =,
    FUNCTION 1 pulid_hash(pulid),
    FUNCTION 2 pulid_hash_extended(pulid, bigint);
COMMENT ON OPERATOR CLASS pulid_ops USING hash IS 'equal ids';

ALTER OPERATOR FAMILY pulid_ops USING hash ADD
    OPERATOR 1 = (pulid, text),
    OPERATOR 1 = (text, pulid),
    OPERATOR 1 ~=~ (text, text),
    FUNCTION 1 (text, text) pulid_hash_text(text),
    FUNCTION 2 (text, text) pulid_hash_text_extended(text, bigint);

CREATE OPERATOR CLASS pulid_minmax_ops DEFAULT FOR TYPE pulid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS pulid_minmax_ops USING brin IS 'smallest and largest id of a block range';
COMMENT ON OPERATOR FAMILY pulid_minmax_ops USING brin IS
    'smallest and largest id of a block range';

CREATE OPERATOR CLASS pulid_minmax_multi_ops FOR TYPE pulid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, integer),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 pulid_brin_distance(internal, internal);
COMMENT ON OPERATOR CLASS pulid_minmax_multi_ops USING brin IS 'ranges of ids in a block range';
COMMENT ON OPERATOR FAMILY pulid_minmax_multi_ops USING brin IS 'ranges of ids in a block range';

-- What is compared with the stored ends of a block range may be a bound. It may not be a text: BRIN
-- takes it for granted, and a server with assertions insists, that a comparison has the collation
-- of the index column, which here is none.
ALTER OPERATOR FAMILY pulid_minmax_ops USING brin ADD
    OPERATOR 1 < (pulid, pulid_bound),
    OPERATOR 2 <= (pulid, pulid_bound),
    OPERATOR 3 = (pulid, pulid_bound),
    OPERATOR 4 >= (pulid, pulid_bound),
    OPERATOR 5 > (pulid, pulid_bound);

ALTER OPERATOR FAMILY pulid_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (pulid, pulid_bound),
    OPERATOR 2 <= (pulid, pulid_bound),
    OPERATOR 3 = (pulid, pulid_bound),
    OPERATOR 4 >= (pulid, pulid_bound),
    OPERATOR 5 > (pulid, pulid_bound);

CREATE OPERATOR CLASS pulid_bloom_ops FOR TYPE pulid USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 pulid_hash(pulid);
COMMENT ON OPERATOR CLASS pulid_bloom_ops USING brin IS
    'Bloom filter over the ids of a block range';
COMMENT ON OPERATOR FAMILY pulid_bloom_ops USING brin IS
    'Bloom filter over the ids of a block range';

-- The strategy numbers are those of core's own GiST classes for scalars (inet_ops), which core can
-- translate (see below). Leaf keys are ids as they are stored, so btree's sort support sorts them.
CREATE OPERATOR CLASS pulid_gist_ops DEFAULT FOR TYPE pulid USING gist AS
    OPERATOR 18 =,
    OPERATOR 19 <>,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 pulid_gist_consistent(internal, pulid, smallint, oid, internal),
    FUNCTION 2 pulid_gist_union(internal, internal),
    FUNCTION 5 pulid_gist_penalty(internal, internal, internal),
    FUNCTION 6 pulid_gist_picksplit(internal, internal),
    FUNCTION 7 pulid_gist_same(bytea, bytea, internal),
    FUNCTION 11 pulid_sortsupport(internal),
    STORAGE bytea;
COMMENT ON OPERATOR CLASS pulid_gist_ops USING gist IS 'ranges of ids, for exclusion constraints';
COMMENT ON OPERATOR FAMILY pulid_gist_ops USING gist IS 'ranges of ids, for exclusion constraints';

-- What WITHOUT OVERLAPS and PERIOD ask for; PostgreSQL 17 and older refuse the number 12.
DO LANGUAGE plpgsql $$
BEGIN
    IF current_setting('server_version_num')::integer >= 180000 THEN
        ALTER OPERATOR FAMILY pulid_gist_ops USING gist ADD
            FUNCTION 12 ("any", "any") gist_translate_cmptype_common(integer);
    END IF;
END $$;

--
-- Aggregates
--

CREATE FUNCTION pulid_smaller(pulid, pulid) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_smaller' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_smaller(pulid, pulid) IS 'smaller of two';

CREATE FUNCTION pulid_larger(pulid, pulid) RETURNS pulid
    AS 'MODULE_PATHNAME', 'pulid_larger' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pulid_larger(pulid, pulid) IS 'larger of two';

CREATE AGGREGATE min(pulid) (
    SFUNC = pulid_smaller, STYPE = pulid, COMBINEFUNC = pulid_smaller, SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(pulid) IS 'smallest id of all input values';

CREATE AGGREGATE max(pulid) (
    SFUNC = pulid_larger, STYPE = pulid, COMBINEFUNC = pulid_larger, SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(pulid) IS 'largest id of all input values';

--
-- Tools. They read catalogs and write tables, so they stand in a schema of their own.
--

CREATE SCHEMA prefixed_ulid;
COMMENT ON SCHEMA prefixed_ulid IS 'tools of the extension prefixed_ulid';
GRANT USAGE ON SCHEMA prefixed_ulid TO PUBLIC;
