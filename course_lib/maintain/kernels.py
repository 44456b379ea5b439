"""How a kernel that executes a notebook is spoken to: through files, as no two programs can have the same.

By default the program that starts a kernel looks for free ports and tells them to the kernel, and what another program
takes in between is lost to it: "Address already in use", the kernel dies.
"""

from pathlib import Path

from traitlets.config import Config


def through_files(folder: Path) -> Config:
    """The settings of an nbclient.NotebookClient whose kernel has its sockets in `folder`.

    A socket's path may have at most 103 characters (macOS; 107 on Linux): keep that of `folder` short.
    """
    return Config({"KernelManager": {"transport": "ipc", "connection_file": str(folder / "kernel.json")}})
