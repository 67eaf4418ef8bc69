"""Types a line and the tab key into psql and prints the words that it completes."""

import os
import pty
import select
import time


def read_until(fd, wanted, seconds=10):
    seen = ""
    deadline = time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < deadline:
        if select.select([fd], [], [], 0.1)[0]:
            seen += os.read(fd, 4096).decode(errors="replace").replace("\a", "")
    return seen


pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", INPUTRC="/dev/null", PSQL_HISTORY="/dev/null")
    os.execvp("psql", ["psql", "-X", "-P", "pager=off"])

read_until(fd, "=# ")
words = []
for typed, word in (
    ("ALTER TABLE product ALTER name TYPE pul", "pulid"),
    ("DROP FUNCTION pulid_ext", "pulid_extract"),
    ("SELECT name FROM product WHERE rel", "related"),
):
    os.write(fd, f"{typed}\t".encode())
    words.append(word if word in read_until(fd, word) else "nothing")
    os.write(fd, b"\x15\x03")  # clear the line
    read_until(fd, "=# ")
print(*words)
os.write(fd, b"\\q\n")
os.waitpid(pid, 0)
