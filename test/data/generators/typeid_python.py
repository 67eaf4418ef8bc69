# typeid-python 0.3.11 with uuid_utils 1.2.0 (PyPI); Python 3.11 or newer.
# Run: pip install typeid-python==0.3.11 uuid_utils==1.2.0 &&
#     python typeid_python.py > typeid_python.csv
import random
from datetime import UTC, datetime, timedelta

import uuid_utils
from typeid import TypeID

MAX = 2**48 - 1
EDGES = [
    0, 1, 2, 999, 1000, 1001, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 946684799999, 951782400000,
    2147483647999, 4294967295999, 2**47 - 1, 2**47, 253402300799999, 253402300800000, MAX - 1, MAX,
]
PREFIXES = [
    None, "a", "z", "prd", "user", "order_item", "a_b", "a__b", "pre_fix_fix",
    "abcdefghijklmnopqrstuvwxyz" * 2 + "abcdefghijk", "a" + "_" * 61 + "z", "z" * 62,
]
rng = random.Random(2)


def v7(ms, rand):  # time, version 7, variant 10, the rest from rand
    tail = int.from_bytes(rand, "big") & ~(0xF << 76) & ~(0x3 << 62) | 7 << 76 | 2 << 62
    return ms.to_bytes(6, "big") + tail.to_bytes(10, "big")


def new_year(year):  # in ms; datetime ends with the year 9999
    before = year - 1
    return (365 * (year - 1970) + before // 4 - before // 100 + before // 400 - 477) * 86400000


def uuids():
    for ms in EDGES:
        for rand in bytes(10), b"\xff" * 10, rng.randbytes(10):
            yield v7(ms, rand)
    for year in [*range(1970, 10889, 100), 10889]:
        for ms in -1, 0, 1:
            if new_year(year) + ms >= 0:
                yield v7(new_year(year) + ms, rng.randbytes(10))
    for _ in range(60):
        yield v7(rng.randint(0, MAX), rng.randbytes(10))
    for _ in range(20):
        yield v7(rng.randint(1104537600000, 2051222400000), rng.randbytes(10))
    for i in range(36):  # every prefix with the nil UUID, the max UUID and any 16 bytes
        yield (bytes(16), b"\xff" * 16, rng.randbytes(16))[i // 12]


# The library gives a datetime in microseconds, through a float: take the nearest ms.
def created_ms(read):
    at = read.created_at
    if at is None:
        return ""
    return round((at - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))


def ids():
    for i, raw in enumerate(uuids()):
        yield TypeID.from_uuid(uuid_utils.UUID(bytes=raw), PREFIXES[i % len(PREFIXES)])
    for prefix in PREFIXES * 2:  # now, the library's own UUIDv7: new at every run
        yield TypeID(prefix)


print("id,prefix,unix_ms,uuid")
for made in ids():
    read = TypeID.from_string(str(made))
    print(f"{made},{read.prefix},{created_ms(read)},{read.uuid}")
