# python-ulid 4.1.0 (PyPI); Python 3.11 or newer.
# Run: pip install python-ulid==4.1.0 && python python_ulid.py > python_ulid.csv
import random
from datetime import UTC, datetime, timedelta

from ulid import ULID, PureRandomPolicy, StrictMonotonicPolicy, ULIDGenerator

MAX = 2**48 - 1
EDGES = [
    0, 1, 2, 999, 1000, 1001, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 946684799999, 951782400000,
    2147483647999, 4294967295999, 2**47 - 1, 2**47, 253402300799999, 253402300800000, MAX - 1, MAX,
]
rng = random.Random(1)


def make(ms, rand):
    return ULIDGenerator(randomness=lambda _: rand, policy=PureRandomPolicy()).generate(ms)


def new_year(year):  # in ms; datetime ends with the year 9999
    before = year - 1
    return (365 * (year - 1970) + before // 4 - before // 100 + before // 400 - 477) * 86400000


def ids():
    for ms in EDGES:
        for rand in bytes(10), b"\xff" * 10, rng.randbytes(10):
            yield make(ms, rand)
    for year in [*range(1970, 10889, 100), 10889]:
        for ms in -1, 0, 1:
            if new_year(year) + ms >= 0:
                yield make(new_year(year) + ms, rng.randbytes(10))
    for _ in range(80):
        yield make(rng.randint(0, MAX), rng.randbytes(10))
    for _ in range(20):
        yield make(rng.randint(1104537600000, 2051222400000), rng.randbytes(10))
    # Through datetime: the library multiplies a float, which loses 1 ms for some instants.
    for i in range(25):
        age = timedelta(days=400 * i, milliseconds=(1, 999)[i % 2])
        when = datetime(2026, 1, 1, tzinfo=UTC) + age
        yield ULIDGenerator(randomness=lambda _: rng.randbytes(10)).generate(when)
    carry = ULIDGenerator(
        randomness=lambda _: bytes(5) + b"\xff" * 4 + b"\xfd", policy=StrictMonotonicPolicy()
    )
    for _ in range(10):
        yield carry.generate(1767225600001)
    for _ in range(20):  # now, the library's own randomness: new at every run
        yield ULID()


print("id,prefix,unix_ms,uuid")
for made in ids():
    read = ULID.from_str(str(made))
    print(f"{made},,{read.milliseconds},{read.to_uuid()}")
