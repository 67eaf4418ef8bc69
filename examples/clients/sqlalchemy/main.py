"""pulid columns with SQLAlchemy 2 and Alembic. The server is the one that PGHOST etc. name."""

import sys
import warnings

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, Table, create_engine, exc, func, insert, inspect, select, text
from sqlalchemy.orm import Session
from typeid import TypeID

from models import Base, Product, Sale
from pulid import Pulid, generate

warnings.simplefilter("error")  # such as "Did not recognize type 'pulid' of column 'id'"

checks = failures = 0


def check(what, got, expected=True):
    global checks, failures
    checks += 1
    if got == expected:
        print(f"ok {checks} - {what}")
    else:
        failures += 1
        print(f"not ok {checks} - {what}\n# got {got!r}\n# expected {expected!r}")


def error_of(session, row):
    """The exception that storing a row raises; the transaction goes on."""
    try:
        with session.begin_nested():
            session.add(row)
    except exc.DBAPIError as error:
        return error
    return None


engine = create_engine("postgresql+psycopg://")

# Schema: migrations/versions/ was written by `alembic revision --autogenerate`.
config = Config()
config.set_main_option("script_location", "migrations")
config.attributes["engine"] = engine
command.upgrade(config, "head")
engine.dispose()  # the next connections find the type and register it

options = {"compare_type": True, "compare_server_default": True}
with engine.connect() as connection:
    no_versions = {"include_name": lambda name, kind, parents: name != "alembic_version"}
    context = MigrationContext.configure(connection, opts=options | no_versions)
    check("autogenerate sees no change", compare_metadata(context, Base.metadata), [])
    other = MetaData()
    for table in Base.metadata.tables.values():
        table.to_metadata(other)
    other.tables["sale"].c.id.type = Pulid("sax")
    other.tables["sale"].c.id.server_default.arg = generate("sax")
    changes = [change[0] for column in compare_metadata(context, other) for change in column]
    check("but a changed prefix and default", sorted(changes), ["modify_default", "modify_type"])

columns = {c["name"]: c["type"] for c in inspect(engine).get_columns("sale")}
check("reflection gives the type", type(columns["id"]), Pulid)
check("with its prefix, or without", (columns["id"].prefix, columns["subject"].prefix),
      ("sal", None))
reflected = Table("product", MetaData(), autoload_with=engine)
check("also in an array", reflected.c.related.type.item_type.prefix, "prd")

with Session(engine) as session:
    lamp = Product(name="lamp")
    session.add(lamp)
    session.flush()
    check("the default makes an id, which the ORM reads back", lamp.id[:4], "prd_")

    desk = Product(id=str(TypeID("prd")), name="desk", related=[lamp.id, None])
    made = desk.id
    session.add(desk)
    session.flush()
    session.expire_all()
    check("a TypeID of typeid-python is stored as it is", session.get(Product, made).name, "desk")
    check("an array of ids and NULL comes back as a list", desk.related, [lamp.id, None])
    check("NULL comes back as None", lamp.related, None)

    names = select(Product.name).order_by(Product.name)
    check("a string finds it", session.scalar(names.where(Product.id == made)), "desk")
    both = names.where(Product.id.in_([lamp.id, made]))
    check("so does a list", session.scalars(both).all(), ["desk", "lamp"])
    raw = text("SELECT name FROM product WHERE id = :id")
    check("and a parameter of text()", session.scalar(raw, {"id": made}), "desk")
    typed = raw.bindparams(id=made).columns(name=Product.name.type)
    check("with a typed result", session.scalar(typed), "desk")
    holder = select(Product.id).where(Product.related.contains([lamp.id]))
    check("an array is searched by a list", session.scalar(holder), made)
    check("func calls take ids", session.scalar(select(func.pulid_prefix(Product.id)).limit(1)),
          "prd")
    tail = made[-8:].upper()
    check("ilike() works", session.scalar(names.where(Product.id.ilike(f"%{tail}"))), "desk")
    check("and startswith()", session.scalars(names.where(Product.id.startswith("prd_"))).all(),
          ["desk", "lamp"])

    sale = Sale(product=desk, subject=made, data={"product": made})
    session.add(sale)
    session.flush()
    joined = select(Product.name).join(Sale).where(Sale.id == sale.id)
    check("a join over the foreign key", session.scalar(joined), "desk")
    sale.product = lamp
    session.flush()
    session.expire(sale)
    check("the foreign key is updated", sale.product_id, lamp.id)
    check("in JSON an id is a string", session.scalar(select(func.to_jsonb(Sale.id))), sale.id)
    in_json = select(Product.name).join(Sale, Product.id == Sale.data["product"].astext)
    check("a string in JSON joins with an id", session.scalar(in_json), "desk")

    ids = [str(TypeID("prd")) for _ in range(1000)]
    session.execute(insert(Product), [{"id": id, "name": "bulk"} for id in ids[:500]])
    cursor = session.connection().connection.cursor()  # psycopg's own
    with cursor.copy("COPY product (id, name) FROM STDIN") as copy:
        for id in ids[500:]:
            copy.write_row([id, "bulk"])
    pages, last = [], "prd_" + 26 * "0"
    by_key = select(Product.id).order_by(Product.id).limit(300)
    while page := session.scalars(by_key.where(Product.id > last)).all():
        pages += page
        last = page[-1]
    check("a bulk insert, COPY; pages by key give all, in order", pages,
          sorted([lamp.id, made, *ids]))

    error = error_of(session, Sale(product_id="usr_01jq3v8f6a7b2c8d9e0f1g2h3j"))
    check("a wrong prefix is an IntegrityError", type(error), exc.IntegrityError)
    check("23514", error.orig.sqlstate, "23514")
    error = error_of(session, Product(id="prd_junk", name=""))
    check("junk is a DataError", type(error), exc.DataError)
    check("22P02", error.orig.sqlstate, "22P02")

    binary = session.connection().connection.cursor(binary=True)
    binary.execute("SELECT id, related FROM product WHERE id = %b", [made])
    check("psycopg's binary form is the same", binary.fetchone(), (made, [lamp.id, None]))

engine.dispose()
print(f"1..{checks}")
sys.exit(failures > 0)
