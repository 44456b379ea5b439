"""JupyterHub with this course for the accounts of one machine. solutions/README.md says what lies where.

jupyterhub -f /etc/course/jupyterhub_config.py
"""

import sys
from pathlib import Path

c = get_config()  # noqa: F821
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # behind a web server that speaks HTTPS

# Who may log in, with the password of the machine: the accounts of its group `course`, and who grades.
INSTRUCTOR = "instructor"
c.LocalAuthenticator.allowed_groups = {"course"}
c.Authenticator.allowed_users = {INSTRUCTOR}

# A student's server runs with the environment of the hub. All servers read nbgrader_config.py of this folder; the
# instructor's reads that of the course's folder behind it.
c.Spawner.cmd = [str(Path(sys.executable).with_name("jupyterhub-singleuser"))]
c.Spawner.environment = {"JUPYTER_CONFIG_PATH": str(Path(__file__).parent)}
GRADING = 'cd ~/course && exec .venv/bin/jupyterhub-singleuser "$@"'
NO_GRADING = "--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': False}"


def by_role(spawner) -> None:
    """The instructor's server runs in the course's folder, with its environment; a student's has no Formgrader."""
    if spawner.user.name == INSTRUCTOR:
        spawner.cmd = ["/bin/sh", "-c", GRADING, "hub"]
    elif NO_GRADING not in spawner.args:
        spawner.args = [*spawner.args, NO_GRADING]


c.Spawner.pre_spawn_hook = by_role
