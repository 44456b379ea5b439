# JupyterLab with the lectures and problem sets, as students have them: `make images`.
FROM python:3.11-slim-bookworm

WORKDIR /opt
COPY dist/course-student.zip ./
RUN python -m zipfile -e course-student.zip . && mv course-student course && rm course-student.zip
WORKDIR /opt/course
RUN pip install --no-cache-dir --constraint .ci/constraints.txt \
    --extra-index-url https://download.pytorch.org/whl/cpu --editable . "jupyterhub>=5.2,<6"

COPY course_lib/grading/hub/nbgrader_config.py /etc/jupyter/
COPY --chmod=755 course_lib/grading/hub/start.sh /usr/local/bin/start
USER 65534
ENV HOME=/tmp
ENTRYPOINT ["start"]
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--ServerApp.root_dir=/tmp", "--LabApp.default_url=/lab/tree/lectures/00_start.ipynb"]
