"""pulid columns with psycopg 3: ids are str. The server is the one that PGHOST etc. name."""

import sys
from decimal import Decimal

import psycopg
from psycopg.rows import namedtuple_row
from psycopg.types import TypeInfo
from psycopg.types.json import Jsonb
from psycopg.types.string import StrBinaryDumper, StrDumper, TextBinaryLoader
from ulid import ULID

SCHEMA = """
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE TABLE product (
    id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name    text NOT NULL,
    price   numeric NOT NULL DEFAULT 0,
    related pulid('prd')[]
);
CREATE TABLE sale (
    id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
    product pulid('prd') REFERENCES product,
    data    jsonb
);
"""


class Pulid(str):
    """A str that goes to the server as a pulid; only binary COPY and %b of arrays need it."""


def register_pulid(conn):
    """Once per connection: arrays come back as lists, binary results as str."""
    info = TypeInfo.fetch(conn, "pulid")
    info.register(conn)
    conn.adapters.register_loader("pulid", TextBinaryLoader)
    for base in StrDumper, StrBinaryDumper:
        conn.adapters.register_dumper(Pulid, type(base.__name__, (base,), {"oid": info.oid}))


checks = failures = 0


def check(what, got, expected=True):
    global checks, failures
    checks += 1
    if got == expected:
        print(f"ok {checks} - {what}")
    else:
        failures += 1
        print(f"not ok {checks} - {what}\n# got {got!r}\n# expected {expected!r}")


def error_of(conn, query, *params):
    """The exception that a query raises; the transaction goes on."""
    try:
        with conn.transaction():
            conn.execute(query, params)
    except psycopg.Error as error:
        return error
    return None


def new_id(prefix):
    return f"{prefix}_{ULID()}".lower()  # the library writes upper case


with psycopg.connect(autocommit=True) as conn:
    conn.execute(SCHEMA)
    register_pulid(conn)
    conn.row_factory = namedtuple_row

    lamp = conn.execute("INSERT INTO product (name) VALUES (%s) RETURNING *", ["lamp"]).fetchone()
    check("the default makes an id, RETURNING gives a str", type(lamp.id), str)
    check("it has the column's prefix", lamp.id.startswith("prd_") and len(lamp.id) == 30)

    desk = new_id("prd")
    row = conn.execute(
        "INSERT INTO product VALUES (%s, %s, %s, %s) RETURNING *",
        [desk, "desk", Decimal("99.50"), [lamp.id, None]],
    ).fetchone()
    check("an id of python-ulid is stored as it is", row.id, desk)
    check("an array of ids and NULL comes back as a list", row.related, [lamp.id, None])
    check("NULL comes back as None", lamp.related, None)

    by_id = "SELECT name FROM product WHERE id = %s"
    check("a string finds it", conn.execute(by_id, [desk]).fetchall(), [("desk",)])
    for mark in "%t", "%b":
        query = by_id.replace("%s", mark)
        check(f"so does a parameter sent as {mark}", conn.execute(query, [desk]).rowcount, 1)
        found = conn.execute(f"SELECT FROM product WHERE id = ANY({mark})", [[lamp.id, desk]])
        check(f"and a list in {mark}", found.rowcount, 2)
    holders = conn.execute("SELECT id FROM product WHERE related @> %s", [[lamp.id]]).fetchall()
    check("an array is searched by a list", holders, [(desk,)])

    for _ in range(6):  # from the sixth execution on, the plan is made without the value
        found = conn.execute(by_id, [desk], prepare=True).fetchall()
    check("a prepared statement finds it", found, [("desk",)])
    binary = conn.cursor(binary=True).execute("SELECT id, related FROM product ORDER BY name")
    check("binary results are the same", binary.fetchone(), (desk, [lamp.id, None]))

    sale = conn.execute(
        "INSERT INTO sale (product, data) VALUES (%s, %s) RETURNING id",
        [desk, Jsonb({"product": desk})],
    ).fetchone()
    joined = conn.execute(
        "SELECT p.name FROM sale s JOIN product p ON p.id = s.product WHERE s.id = %s", sale
    ).fetchall()
    check("a join over the foreign key", joined, [("desk",)])
    conn.execute("UPDATE sale SET product = %b WHERE id = %b", [lamp.id, sale.id])
    moved = conn.execute("SELECT product, to_jsonb(s) AS json FROM sale s").fetchone()
    check("the foreign key is updated", moved.product, lamp.id)
    check("in JSON an id is a string", moved.json["id"], sale.id)
    in_json = conn.execute(
        "SELECT p.name FROM sale JOIN product p ON p.id = data->>'product'"
    ).fetchall()
    check("a string in JSON joins with an id", in_json, [("desk",)])

    ids = [new_id("prd") for _ in range(1000)]
    with conn.cursor().copy("COPY product (id, name) FROM STDIN") as copy:
        for id in ids[:500]:
            copy.write_row([id, "bulk"])
    with conn.cursor().copy("COPY product (id, name) FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["pulid", "text"])
        for id in ids[500:]:
            copy.write_row([id, "bulk"])
    pages, last = [], "prd_" + 26 * "0"
    while page := conn.execute(
        "SELECT id FROM product WHERE id > %s ORDER BY id LIMIT 300", [last]
    ).fetchall():
        pages += [row.id for row in page]
        last = pages[-1]
    check("COPY in text and binary; pages by key give all, in order", pages,
          sorted([lamp.id, desk, *ids]))
    search = "SELECT name FROM product WHERE id ILIKE %s"
    tail = f"%{desk[-8:].upper()}"
    check("a pattern, as search boxes use", conn.execute(search, [tail]).fetchall(), [("desk",)])

    wrong = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j"
    error = error_of(conn, "INSERT INTO sale (product) VALUES (%s)", wrong)
    check("a wrong prefix is a CheckViolation", type(error), psycopg.errors.CheckViolation)
    check("which is an IntegrityError, 23514", isinstance(error, psycopg.IntegrityError)
          and error.sqlstate, "23514")
    error = error_of(conn, "INSERT INTO product (id) VALUES (%s)", "prd_junk")
    check("junk is an InvalidTextRepresentation", type(error),
          psycopg.errors.InvalidTextRepresentation)
    check("which is a DataError, 22P02", isinstance(error, psycopg.DataError)
          and error.sqlstate, "22P02")
    error = error_of(conn, "UPDATE product SET id = %b", Pulid("prd_junk"))
    check("22P03 where it is sent as a binary pulid", error.sqlstate, "22P03")

print(f"1..{checks}")
sys.exit(failures > 0)
