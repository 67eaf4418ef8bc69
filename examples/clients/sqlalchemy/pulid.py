"""The type pulid for SQLAlchemy: Mapped[str] in Python, pulid('prd') in the database."""

from psycopg.types import TypeInfo
from psycopg.types.string import TextBinaryLoader
from sqlalchemy import Engine, event, text
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import UserDefinedType


class Pulid(UserDefinedType):
    """Pulid("prd") is pulid('prd'), Pulid() is pulid. Values are str, both ways."""

    cache_ok = True

    def __init__(self, prefix=None):
        # Reflection hands us the modifier as format_type() prints it, with its quotes.
        self.prefix = prefix.strip("'") if prefix is not None else None

    @property
    def python_type(self):
        return str

    def get_col_spec(self, **kw):
        return "pulid" if self.prefix is None else f"pulid('{self.prefix}')"


ischema_names["pulid"] = Pulid  # for reflection, and so for autogenerate


@event.listens_for(Engine, "connect")
def register(connection, record):
    """Arrays come as lists (psycopg knows no array of a type it does not know)."""
    if info := TypeInfo.fetch(connection, "pulid"):  # None before the first migration
        info.register(connection)
        connection.adapters.register_loader("pulid", TextBinaryLoader)
    connection.rollback()


def generate(prefix):
    """A server_default, spelled as PostgreSQL prints it: so autogenerate finds it unchanged."""
    return text(f"pulid_generate('{prefix}'::text)")
