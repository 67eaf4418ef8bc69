"""PrefixedUlidField: a pulid column. In Python the ids are str."""

import re

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from psycopg.types import TypeInfo

ID = re.compile(
    "([a-z]([a-z_]{,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}", re.ASCII | re.IGNORECASE
)


class GeneratePulid(models.Func):
    function = "pulid_generate"

    def __init__(self, prefix, **extra):
        super().__init__(models.Value(prefix), output_field=PrefixedUlidField(prefix), **extra)


class PrefixedUlidField(models.Field):
    """pulid('prd') for PrefixedUlidField("prd"). A primary key is generated in the database."""

    description = "id with the prefix %(prefix)s"

    def __init__(self, prefix, **options):
        self.prefix = prefix
        if options.get("primary_key"):
            options.setdefault("db_default", GeneratePulid(prefix))
            options.setdefault("editable", False)
        super().__init__(**options)

    def deconstruct(self):
        name, path, args, options = super().deconstruct()
        return name, path, [self.prefix, *args], options

    def db_type(self, connection):
        return f"pulid('{self.prefix}')"

    def to_python(self, value):
        if value is None or ID.fullmatch(str(value)):
            return None if value is None else str(value).lower()
        raise ValidationError("“%(value)s” is not an id.", "invalid", {"value": value})

    def get_prep_value(self, value):  # junk must not reach the database: forms look keys up
        return self.to_python(super().get_prep_value(value))

    def validate(self, value, instance):
        super().validate(value, instance)
        if value and value.rpartition("_")[0] != self.prefix:
            raise ValidationError("“%(value)s” is of another kind.", "prefix", {"value": value})

    def formfield(self, **options):
        return super().formfield(
            **{"form_class": forms.CharField, "empty_value": None, **options}
        )


@receiver(connection_created)
def register(connection, **kwargs):
    """Only for ArrayField: psycopg gives arrays of a type that it knows as lists."""
    if connection.vendor == "postgresql":
        if info := TypeInfo.fetch(connection.connection, "pulid"):  # None before migrations
            info.register(connection.connection)
