from django.contrib import admin

from .models import Product, Sale


@admin.register(Product)
class ProductAdmin(admin.ModelAdmin):
    list_display = ["id", "name"]
    search_fields = ["id", "name"]


@admin.register(Sale)
class SaleAdmin(admin.ModelAdmin):
    search_fields = ["product__id"]
    raw_id_fields = ["product"]
