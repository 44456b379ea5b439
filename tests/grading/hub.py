"""A JupyterHub with the course's configuration, whose users are folders, and where any password will do."""

import contextlib
import json
import os
import shutil
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..ports import free_port
from .course import BIN, ROOT, clean_environment

CONFIGURATION = ROOT / "course_lib" / "grading" / "hub"
TOKEN = "0" * 32
OURS = """
import os
load_subconfig({etc!r} + "/jupyterhub_config.py")
c.JupyterHub.authenticator_class, c.JupyterHub.spawner_class = "dummy", "simple"
c.DummyAuthenticator.allow_all = True
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.Spawner.args = ["--allow-root"] if os.getuid() == 0 else []
c.Spawner.environment["OMP_NUM_THREADS"] = "1"
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy}"
c.JupyterHub.services = [{{"name": "test", "api_token": {token!r}}}]
scopes = ["admin:users", "admin:servers", "tokens"]
c.JupyterHub.load_roles = [{{"name": "test", "services": ["test"], "scopes": scopes}}]
"""
ONE_ACCOUNT = """
import os
c.Exchange.root = {exchange!r}
if (user := os.environ.get("JUPYTERHUB_USER")) not in (None, "instructor"):  # here all are one account of the machine
    c.CourseDirectory.student_id = user
"""


@dataclass(frozen=True)
class Hub:
    """A running hub: its address, the folder of its users' homes, and what all of its processes have logged."""

    url: str
    homes: Path
    log: list[str]

    def ask(self, token: str, path: str, method: str = "GET", body: dict | None = None) -> bytes:
        """What a page says; raises urllib.error.HTTPError where it refuses."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.read()

    def start(self, name: str) -> str:
        """Start the server of a user; what the user's own token is, once it is ready."""
        user = f"hub/api/users/{name}"
        with contextlib.suppress(urllib.error.HTTPError):  # one whom the configuration names is there already
            self.ask(TOKEN, user, "POST", {})
        self.ask(TOKEN, f"{user}/server", "POST", {})
        events = self.ask(TOKEN, f"{user}/server/progress").decode()  # ends when the server is ready, or has failed
        assert '"ready": true' in events, events
        return json.loads(self.ask(TOKEN, f"{user}/tokens", "POST", {}))["token"]


@contextlib.contextmanager
def hub_in(folder: Path) -> Iterator[Hub]:
    """The hub with `folder`/homes as its users' homes; all of its processes have ended after the block."""
    etc, homes = folder / "etc", folder / "homes"
    shutil.copytree(CONFIGURATION, etc, ignore=shutil.ignore_patterns("__pycache__"))
    homes.mkdir(exist_ok=True)
    with (etc / "nbgrader_config.py").open("a") as file:
        file.write(ONE_ACCOUNT.format(exchange=str(folder / "exchange")))
    port, hub, proxy = free_port(), free_port(), free_port()
    own = {"etc": str(etc), "homes": str(homes), "port": port, "hub": hub, "proxy": proxy, "token": TOKEN}
    (folder / "config.py").write_text(OURS.format(**own))
    env = clean_environment(folder / "home", PATH=os.pathsep.join([str(BIN), os.environ["PATH"]]))
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):  # each user's own, in the home
        del env[name]
    command = [BIN / "jupyterhub", "-f", folder / "config.py"]
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=folder, env=env, **told) as running:
        log, begun = [], threading.Event()

        def listen() -> None:
            for line in running.stdout:
                log.append(line)
                if "JupyterHub is now running" in line:
                    begun.set()
            begun.set()

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            begun.wait()
            assert running.poll() is None, "".join(log)
            yield Hub(f"http://127.0.0.1:{port}", homes, log)
        finally:
            running.terminate()  # it ends its users' servers and its proxy
            listener.join()
