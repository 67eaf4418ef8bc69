from django.contrib.postgres.fields import ArrayField
from django.db import models

from .fields import PrefixedUlidField


class Product(models.Model):
    id = PrefixedUlidField("prd", primary_key=True)
    name = models.CharField(max_length=100)
    related = ArrayField(PrefixedUlidField("prd", null=True), null=True, blank=True)

    def __str__(self):
        return self.name


class Sale(models.Model):
    id = PrefixedUlidField("sal", primary_key=True)
    product = models.ForeignKey(Product, models.PROTECT, null=True)
    data = models.JSONField(null=True, blank=True)
