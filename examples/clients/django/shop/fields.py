"""PrefixedUlidField: a pulid column. In Python the ids are str."""

import re

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from psycopg.types import TypeInfo

BODY = "[0-7][0-9a-hjkmnp-tv-z]{25}"


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

    def to_python(self, value):  # forms and the admin's URLs; queries leave it to the database
        if value is None or re.fullmatch(f"{self.prefix}_{BODY}", str(value).lower()):
            return value and str(value).lower()
        raise ValidationError("“%(value)s” is no id of this kind.", "invalid", {"value": value})

    def formfield(self, **options):
        return super().formfield(**{"form_class": forms.CharField, **options})


@receiver(connection_created)
def register(connection, **kwargs):
    """Only for ArrayField: psycopg gives arrays of a type that it knows as lists."""
    if connection.vendor == "postgresql":
        if info := TypeInfo.fetch(connection.connection, "pulid"):  # None before migrations
            info.register(connection.connection)
