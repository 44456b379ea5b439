# Who grades: the instructor's server on the hub, or a worker of `dask worker`: `make images`.
FROM python:3.11-slim-bookworm

# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/course-library
COPY pyproject.toml README.md LICENSE ./
COPY .ci/constraints.txt .ci/
COPY course_lib course_lib
RUN pip install --no-cache-dir --constraint .ci/constraints.txt \
    --extra-index-url https://download.pytorch.org/whl/cpu --editable '.[cluster,postgres]' "jupyterhub>=5.2,<6"

COPY course_lib/grading/hub/nbgrader_config.py /etc/jupyter/
USER 65534
ENV HOME=/tmp
WORKDIR /tmp
CMD ["dask", "worker", "--help"]
