"""A real JupyterLab and a real browser for tests: start them, open a notebook, run it, list its errors.

with jupyter(folder) as server, browser() as chromium:
    page = chromium.new_page()
    server.open(page, "lecture.ipynb")
    assert server.run_all(page) == []
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Frame, Page, sync_playwright

from ..ports import free_port

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # a page that needs the network fails
]
HOW_TO_GET_ONE = "no browser found: `apt-get install chromium`, or `.venv/bin/playwright install chromium`"
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
OPEN = """async (path) => {
    const { commands, shell } = window.jupyterapp;
    const close = (kind) => {
        for (const open of [...shell.widgets("main")].filter(kind)) {
            if (open.context) open.context.model.dirty = false; // so that nobody asks whether to save it
            open.close();
        }
    };
    const isNotebook = (open) => open.context;
    close(isNotebook);
    while ([...shell.widgets("main")].some(isNotebook)) await new Promise((next) => setTimeout(next, 10));
    if (path) {
        await (await commands.execute("docmanager:open", { path })).context.ready;
        close((open) => !isNotebook(open));
    }
}"""
KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status"


class NoBrowser(RuntimeError):
    """No Chromium is installed; the message says how to get one."""


def find_browser() -> str | None:
    """The path of an installed Chromium or Chrome, or None where Playwright has one of its own.

    Raises NoBrowser if there is neither.
    """
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        if Path(playwright.chromium.executable_path).exists():
            return None
    raise NoBrowser(HOW_TO_GET_ONE)


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium. Raises NoBrowser if none is installed."""
    path = find_browser()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield chromium
        finally:
            chromium.close()


def wait_until(where: Page | Frame, expression: str, arg: object = None, *, seconds: float = 60) -> None:
    """Wait until an expression is true there. A policy that forbids eval, under which Playwright's own way to wait
    fails, does not matter. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not where.evaluate(expression, arg):
        if time.monotonic() > end:
            raise TimeoutError(f"not true within {seconds:g} seconds: {expression}")
        where.wait_for_timeout(20)


def violations(page: Page, selector: str = "body") -> list[str]:
    """What axe-core finds against WCAG 2.2 A and AA within `selector`, one line for each element."""
    found = Axe().run(page, context=selector, options={**WCAG, "resultTypes": ["violations"]}).response["violations"]
    return [f"{rule['id']}: {node['html']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


@dataclass
class Jupyter:
    """A running server: its address, token, root folder, and the theme in which notebooks are opened."""

    url: str
    token: str
    root: Path
    theme: str = "JupyterLab Light"

    def open(self, page: Page, notebook: str, *, timeout: float = 120_000) -> None:
        """Open a notebook, a path below the root, in JupyterLab and wait for its kernel.

        The theme is the server's own, whatever an earlier page has changed it to.
        """
        page.goto(f"{self.url}/lab/tree/{notebook}?token={self.token}&reset", timeout=timeout)
        self._opened(page, timeout)

    def open_here(self, page: Page, notebook: str, *, timeout: float = 120_000) -> None:
        """Open a notebook where this JupyterLab is shown already, in place of what was open there.

        That takes a small part of the processor's time: JupyterLab itself is not loaded again.
        """
        page.evaluate(OPEN, notebook)
        self._opened(page, timeout)

    def close_all(self, page: Page) -> None:
        """Close all notebooks, unsaved, and end all kernels."""
        page.evaluate(OPEN)
        self.shut_down_kernels()

    def _opened(self, page: Page, timeout: float) -> None:
        page.wait_for_selector(".jp-NotebookPanel .jp-Notebook .jp-Cell", timeout=timeout)
        page.wait_for_function(f"{KERNEL} === 'idle'", timeout=timeout)
        self.change_theme(page, self.theme)

    def change_theme(self, page: Page, theme: str) -> None:
        """Show JupyterLab in this theme, "JupyterLab Light" or "JupyterLab Dark"."""
        page.evaluate("(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        page.wait_for_function("(theme) => document.body.dataset.jpThemeName === theme", arg=theme)

    def run_all(self, page: Page, *, timeout: float = 120_000) -> list[str]:
        """Run all cells to the end, or to the first that fails. Returns `errors(page)`."""
        page.set_default_timeout(timeout)
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(f"{KERNEL} === 'idle'")
        return self.errors(page)

    def errors(self, page: Page) -> list[str]:
        """`Name: message` of each error among the outputs of the open notebook."""
        return page.evaluate("""() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
            .map((cell) => cell.toJSON()).filter((cell) => cell.cell_type === 'code')
            .flatMap((cell) => cell.outputs).filter((output) => output.output_type === 'error')
            .map((output) => `${output.ename}: ${output.evalue}`)""")

    def shut_down_kernels(self) -> None:
        """End all kernels of the server."""
        for session in json.loads(self._request("sessions")):
            self._request(f"sessions/{session['id']}", "DELETE")

    def _request(self, path: str, method: str = "GET") -> bytes:
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.url}/api/{path}", headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()


@contextlib.contextmanager
def jupyter(
    root: str | os.PathLike,
    *,
    theme: str = "JupyterLab Light",
    config: str | os.PathLike | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Jupyter]:
    """A JupyterLab server on a free port, started in `root`, with its settings in a temporary folder of their own.

    `config` is a folder of Jupyter configuration to begin from (copied), `environment` is added to the server's.
    Raises RuntimeError with the server's log if it does not start.
    """
    url, token = f"http://127.0.0.1:{free_port()}", "test"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if config is not None:
            shutil.copytree(config, folder / "config")
        _settings(folder / "settings", theme)
        log = folder / "log"
        with log.open("w") as output:
            server = subprocess.Popen(
                _command(url, token, root),
                cwd=root,
                env={**os.environ, **_folders(folder), **(environment or {})},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            _wait(server, f"{url}/api?token={token}", log)
            yield Jupyter(url, token, Path(root), theme)
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _folders(folder: Path) -> dict[str, str]:
    return {
        "JUPYTER_CONFIG_DIR": f"{folder}/config",
        "JUPYTERLAB_SETTINGS_DIR": f"{folder}/settings",
        "JUPYTERLAB_WORKSPACES_DIR": f"{folder}/workspaces",
        "JUPYTER_RUNTIME_DIR": f"{folder}/runtime",
        "IPYTHONDIR": f"{folder}/ipython",
    }


def _settings(folder: Path, theme: str) -> None:
    """No news popup, no update check, the theme."""
    extension = folder / "@jupyterlab" / "apputils-extension"
    extension.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (extension / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    (extension / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))


def _command(url: str, token: str, root: str | os.PathLike) -> list[str]:
    return [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.port={url.rsplit(':', 1)[1]}",
        "--ServerApp.port_retries=0",
        "--KernelManager.transport=ipc",  # files: a port that is free may be another's before the kernel has it
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={root}",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]


def _wait(server: subprocess.Popen, address: str, log: Path, seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(urllib.error.URLError, TimeoutError, ConnectionError):
            urllib.request.urlopen(address, timeout=1).close()
            return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


ASK = """async ([code, wanted]) => {
    const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
    const end = performance.now() + 30_000;
    let said;
    do {
        said = "";
        const future = kernel.requestExecute({ code });
        future.onIOPub = ({ content }) => { said += content.text ?? ""; };
        await future.done;
    } while (said.trim() !== wanted && performance.now() < end);
    return said;
}"""


def kernel_says(page, expression, wanted):
    """The value of an expression in the open notebook's kernel; asked again while it has not heard of all clicks."""
    code = f"import json; print(json.dumps(({expression})))"
    return json.loads(page.evaluate(ASK, [code, json.dumps(wanted)]))
