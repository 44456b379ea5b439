"""The same with a container for each user: `make images`, `pip install "dockerspawner>=14,<15"` beside the hub, then

jupyterhub -f /etc/course/docker_config.py
"""

c = get_config()  # noqa: F821
load_subconfig("jupyterhub_config.py")  # noqa: F821

# A container runs as its user's account of the machine, in that home: nbgrader's exchange rests on whose a file is.
c.JupyterHub.spawner_class = "docker-system-user"
c.SystemUserSpawner.host_homedir_format_string = ""  # as the machine's list of accounts says
c.DockerSpawner.remove = True
c.DockerSpawner.volumes = {"/usr/local/share/nbgrader/exchange": "/usr/local/share/nbgrader/exchange"}
c.DockerSpawner.read_only_volumes = {"/etc/passwd": "/etc/passwd", "/etc/group": "/etc/group"}
c.JupyterHub.hub_ip = "172.17.0.1"  # where containers reach the hub: `ip address show docker0`

c.Spawner.cmd, c.Spawner.environment = ["jupyterhub-singleuser"], {}
GRADING = 'cd ~/course && exec jupyterhub-singleuser "$@"'
INSTRUCTORS, on_the_machine = c.Authenticator.allowed_users, c.Spawner.pre_spawn_hook


def by_role(spawner) -> None:
    """Students get little; the instructor's container may make sandboxes: bubblewrap needs what Docker masks."""
    on_the_machine(spawner)
    if spawner.user.name in INSTRUCTORS:
        spawner.image, spawner.cmd = "course-grader", ["/bin/sh", "-c", GRADING, "hub"]
        spawner.extra_host_config = {"privileged": True}  # nothing of a student's runs outside a sandbox there
    else:
        spawner.image, spawner.mem_limit, spawner.cpu_limit = "course-student", "4G", 2


c.Spawner.pre_spawn_hook = by_role
