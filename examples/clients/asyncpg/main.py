"""pulid columns with asyncpg: ids are str. The server is the one that PGHOST etc. name."""

import asyncio
import json
import sys

import asyncpg
from typeid import TypeID

SCHEMA = """
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE TABLE product (
    id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name    text NOT NULL,
    related pulid('prd')[]
);
CREATE TABLE sale (
    id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
    product pulid('prd') REFERENCES product,
    data    jsonb
);
"""


async def init(conn):
    """Once per connection: the binary form of a pulid is its text, so text's codec serves."""
    await conn.set_builtin_type_codec("pulid", schema="pg_catalog", codec_name="text")
    await conn.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads
    )


checks = failures = 0


def check(what, got, expected=True):
    global checks, failures
    checks += 1
    if got == expected:
        print(f"ok {checks} - {what}")
    else:
        failures += 1
        print(f"not ok {checks} - {what}\n# got {got!r}\n# expected {expected!r}")


async def error_of(conn, query, *args):
    try:
        async with conn.transaction():
            await conn.execute(query, *args)
    except asyncpg.PostgresError as error:
        return error
    return None


async def use(conn):
    lamp = await conn.fetchrow("INSERT INTO product (name) VALUES ($1) RETURNING *", "lamp")
    check("the default makes an id, RETURNING gives a str", type(lamp["id"]), str)
    check("it has the column's prefix", lamp["id"].startswith("prd_") and len(lamp["id"]) == 30)

    desk = str(TypeID("prd"))
    row = await conn.fetchrow(
        "INSERT INTO product VALUES ($1, $2, $3) RETURNING *", desk, "desk", [lamp["id"], None]
    )
    check("a TypeID of typeid-python is stored as it is", row["id"], desk)
    check("an array of ids and NULL comes back as a list", row["related"], [lamp["id"], None])
    check("NULL comes back as None", lamp["related"], None)

    by_id = "SELECT name FROM product WHERE id = $1"
    check("a string finds it", await conn.fetchval(by_id, desk), "desk")
    check("so does one cast to text", await conn.fetchval(by_id + "::text", desk), "desk")
    found = await conn.fetch("SELECT FROM product WHERE id = ANY($1)", [lamp["id"], desk])
    check("and a list", len(found), 2)
    holder = await conn.fetchval("SELECT id FROM product WHERE related @> $1", [lamp["id"]])
    check("an array is searched by a list", holder, desk)
    prepared = await conn.prepare(by_id)
    check("a prepared statement asks for a pulid", prepared.get_parameters()[0].name, "pulid")
    check("and is used again", {await prepared.fetchval(desk) for _ in range(6)}, {"desk"})

    sale = await conn.fetchval(
        "INSERT INTO sale (product, data) VALUES ($1, $2) RETURNING id", desk, {"product": desk}
    )
    joined = await conn.fetchval(
        "SELECT p.name FROM sale s JOIN product p ON p.id = s.product WHERE s.id = $1", sale
    )
    check("a join over the foreign key", joined, "desk")
    await conn.execute("UPDATE sale SET product = $1 WHERE id = $2", lamp["id"], sale)
    moved = await conn.fetchrow("SELECT product, to_jsonb(s) AS json FROM sale s")
    check("the foreign key is updated", moved["product"], lamp["id"])
    check("in JSON an id is a string", moved["json"]["id"], sale)
    in_json = await conn.fetchval(
        "SELECT p.name FROM sale JOIN product p ON p.id = data->>'product'"
    )
    check("a string in JSON joins with an id", in_json, "desk")

    ids = [str(TypeID("prd")) for _ in range(1000)]
    await conn.copy_records_to_table(  # always binary
        "product", records=[(id, "bulk") for id in ids[:900]], columns=["id", "name"]
    )
    await conn.executemany(
        "INSERT INTO product (id, name) VALUES ($1, $2)", [(id, "bulk") for id in ids[900:]]
    )
    pages, last = [], "prd_" + 26 * "0"
    while page := await conn.fetch(
        "SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT 300", last
    ):
        pages += [row["id"] for row in page]
        last = pages[-1]
    check("COPY, executemany; pages by key give all, in order", pages,
          sorted([lamp["id"], desk, *ids]))
    tail = f"%{desk[-8:].upper()}"
    found = await conn.fetchval("SELECT name FROM product WHERE id ILIKE $1", tail)
    check("a pattern, as search boxes use", found, "desk")

    error = await error_of(conn, "INSERT INTO sale (product) VALUES ($1)",
                           "usr_01jq3v8f6a7b2c8d9e0f1g2h3j")
    check("a wrong prefix is a CheckViolationError", type(error), asyncpg.CheckViolationError)
    check("which is an IntegrityConstraintViolationError, 23514",
          isinstance(error, asyncpg.IntegrityConstraintViolationError) and error.sqlstate, "23514")
    error = await error_of(conn, "INSERT INTO product (id, name) VALUES ($1, '')", "prd_junk")
    check("junk is an InvalidBinaryRepresentationError, 22P03", (type(error), error.sqlstate),
          (asyncpg.InvalidBinaryRepresentationError, "22P03"))
    error = await error_of(conn, "INSERT INTO product (id, name) VALUES ($1::text, '')", "prd_junk")
    check("as a text it is an InvalidTextRepresentationError, 22P02",
          (type(error), error.sqlstate), (asyncpg.InvalidTextRepresentationError, "22P02"))
    check("both are DataErrors", all(issubclass(c, asyncpg.DataError) for c in (
        asyncpg.InvalidBinaryRepresentationError, asyncpg.InvalidTextRepresentationError)))


async def main():
    conn = await asyncpg.connect()
    await conn.execute(SCHEMA)
    zero = "prd_" + 26 * "0"
    row = await conn.fetchrow("SELECT array[id] FROM (SELECT $1::pulid) AS s(id)", zero)
    check("without a codec ids and arrays go as text", row[0], [zero])
    try:
        await conn.copy_records_to_table("product", records=[(zero, "")], columns=["id", "name"])
        check("but not in binary COPY", "copied", "refused")
    except asyncpg.InternalClientError as error:
        check("but not in binary COPY", "no binary format encoder" in str(error))
    await conn.close()

    async with asyncpg.create_pool(init=init, min_size=1, max_size=2) as pool:
        async with pool.acquire() as conn:
            await use(conn)


asyncio.run(main())
print(f"1..{checks}")
sys.exit(failures > 0)
