"""A gradebook in PostgreSQL: one command at a time on it, whatever machine and folder the command runs in.

An advisory lock of the server's, which ends with the connection that holds it, however that ends.
https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
"""

import contextlib
from collections.abc import Iterator

from sqlalchemy import make_url

from course_lib.extras import needs

with needs("postgres"):
    import psycopg

KEY = int.from_bytes(b"course")  # of the lock, within the gradebook's database
HOLDER = """select application_name, client_addr from pg_locks join pg_stat_activity using (pid)
where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = %s
and pg_locks.database = (select oid from pg_database where datname = current_database())"""


class Unreachable(Exception):
    """The server of the gradebook cannot be asked."""


@contextlib.contextmanager
def alone(db_url: str, command: str) -> Iterator[str | None]:
    """Hold the lock until the block ends: None; or who holds it, where another one does. Raises Unreachable."""
    url = make_url(db_url).set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        connection = psycopg.connect(url, autocommit=True, application_name=command, keepalives_idle=60)
    except psycopg.OperationalError as error:
        raise Unreachable(f"The server of the gradebook cannot be reached: {error}") from None
    with contextlib.closing(connection):
        if connection.execute("select pg_try_advisory_lock(%s)", [KEY]).fetchone()[0]:
            yield None
        else:
            name, address = connection.execute(HOLDER, [KEY]).fetchone() or ("it has just ended", None)
            yield f"{name}, from {address or 'the machine of the gradebook'}"
