from sqlalchemy import ForeignKey
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from pulid import Pulid, generate


class Base(DeclarativeBase):
    pass


class Product(Base):
    __tablename__ = "product"

    id: Mapped[str] = mapped_column(Pulid("prd"), primary_key=True, server_default=generate("prd"))
    name: Mapped[str]
    related: Mapped[list[str | None] | None] = mapped_column(ARRAY(Pulid("prd")))


class Sale(Base):
    __tablename__ = "sale"

    id: Mapped[str] = mapped_column(Pulid("sal"), primary_key=True, server_default=generate("sal"))
    product_id: Mapped[str | None] = mapped_column(ForeignKey("product.id"))
    subject: Mapped[str | None] = mapped_column(Pulid())  # an id of any kind
    data: Mapped[dict | None] = mapped_column(JSONB)
    product: Mapped[Product | None] = relationship()
