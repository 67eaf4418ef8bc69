"""pulid columns with Django 5: shop/fields.py has the field. main.py migrates and uses it."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DataError, IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import setup_test_environment
from ulid import ULID

from shop.models import Product, Sale

checks = failures = 0


def check(what, got, expected=True):
    global checks, failures
    checks += 1
    if got == expected:
        print(f"ok {checks} - {what}")
    else:
        failures += 1
        print(f"not ok {checks} - {what}\n# got {got!r}\n# expected {expected!r}")


def error_of(action):
    try:
        with transaction.atomic():
            action()
    except Exception as error:
        return error


def made_by_client():
    return f"prd_{ULID()}".lower()  # the library writes upper case


call_command("migrate", verbosity=0)
connection.close()  # the next connection finds the type and registers it
try:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    check("makemigrations sees no change", True)
except SystemExit:
    check("makemigrations sees no change", False)

lamp = Product.objects.create(name="lamp")
check("the default makes an id, which create() reads back", lamp.id[:4], "prd_")
desk = Product.objects.create(id=made_by_client(), name="desk", related=[lamp.id, None])
desk.refresh_from_db()
check("an array of ids and NULL comes back as a list", desk.related, [lamp.id, None])
lamp.refresh_from_db()
check("NULL comes back as None", lamp.related, None)

for database in "default", "server_side":
    products = Product.objects.using(database).order_by("name")
    check(f"{database}: an id of python-ulid is found", products.get(pk=desk.id).name, "desk")
    check("so is a list", [p.name for p in products.filter(id__in=[lamp.id, desk.id])],
          ["desk", "lamp"])
    check("in_bulk() too", set(products.in_bulk([lamp.id, desk.id])), {lamp.id, desk.id})
    part = desk.id[-8:].upper()
    check("icontains casts to text by itself", products.get(id__icontains=part).name, "desk")
    check("startswith as well", products.filter(id__startswith="prd_").count(), 2)
    check("an array is searched", products.get(related__contains=[lamp.id]).name, "desk")
    other = Product.objects.using(database).create(id=made_by_client(), name="chair")
    check("an insert with an id of ours", products.get(name="chair").id, other.id)
    other.delete()

sale = Sale.objects.create(product=desk, data={"product": desk.id})
check("a join over the foreign key", Sale.objects.get(product__name="desk"), sale)
sale.product = lamp
sale.save()
sale = Sale.objects.select_related("product").get(pk=sale.pk)
check("the foreign key is updated", sale.product.name, "lamp")
check("in JSON an id is a string", sale.data["product"], desk.id)

ids = [made_by_client() for _ in range(1000)]
Product.objects.bulk_create([Product(id=id, name="bulk") for id in ids[:500]])
Product.objects.bulk_create([Product(name="generated") for _ in range(10)])
ids += [p.id for p in Product.objects.filter(name="generated")]  # it does not read them back
check("bulk_create takes the default", len(ids), 1010)
with connection.cursor() as cursor:
    with cursor.copy("COPY shop_product (id, name) FROM STDIN") as copy:
        for id in ids[500:1000]:
            copy.write_row([id, "bulk"])
pages, last = [], "prd_" + 26 * "0"
by_key = Product.objects.order_by("id").values_list("id", flat=True)
while page := list(by_key.filter(id__gt=last)[:300]):
    pages += page
    last = page[-1]
check("COPY; pages by key give all, in order", pages,
      sorted([lamp.id, desk.id, *ids]))

User.objects.create_superuser("admin", password="admin")
setup_test_environment()  # pages tell what they were made of
admin = Client()
admin.login(username="admin", password="admin")
admin_path = "/admin/shop/product/"
page = admin.get(admin_path, {"q": part})
check("the admin finds a part of an id", page.context["cl"].result_count, 1)
page = admin.get(f"{admin_path}{desk.id}/change/")
check("and shows the object of an id", page.context["original"].name, "desk")
page = admin.get(f"{admin_path}prd_junk/change/")
check("junk in its address is not found", page.status_code, 302)
page = admin.post("/admin/shop/sale/add/", {"product": desk.id})
check("its forms take an id", Sale.objects.filter(product=desk).count(), 1)
page = admin.post("/admin/shop/sale/add/", {"product": "prd_junk"})
check("and refuse junk", "product" in page.context["adminform"].form.errors)

wrong = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j"
error = error_of(lambda: Product.objects.create(id=wrong, name=""))
check("a wrong prefix is an IntegrityError", type(error), IntegrityError)
check("23514", error.__cause__.sqlstate, "23514")
error = error_of(lambda: Product(id=wrong, name="x").full_clean())
check("full_clean() says so before", type(error), ValidationError)
error = error_of(lambda: Product.objects.filter(id="prd_junk"))
check("junk is a ValidationError, as with UUIDField", type(error), ValidationError)
error = error_of(lambda: connection.cursor().execute("SELECT %s::pulid", ["prd_junk"]))
check("in SQL of your own it is a DataError", type(error), DataError)
check("22P02", error.__cause__.sqlstate, "22P02")

print(f"1..{checks}")
sys.exit(failures > 0)
