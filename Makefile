# make lab      opens the course            make test      passes the whole suite
# make grade    grades a sample class       make student   writes dist/course-student.zip
# make site     writes the lectures as pages into dist/site/
# make images   builds containers for students and graders, with Docker

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
WORKERS ?= 2
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
PIN     := .ci/constraints.txt
PIP     := $(BIN)/python -m pip install --disable-pip-version-check --constraint $(PIN)

.PHONY: lab test processors grade student site images new release lint pictures clean

lab: $(VENV)/lab
	$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/lectures/00_start.ipynb $(AS_ROOT) $(ARGS)

test: $(VENV)/test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(ARGS)

processors: $(VENV)/test
	$(BIN)/python -m tests.processors $(ARGS)

grade: $(VENV)/test
	$(BIN)/python -m tests.grading.demo

student: $(VENV)/lab
	$(BIN)/python -m course_lib.maintain.student_zip

site: $(VENV)/lab
	$(BIN)/python -m course_lib.maintain.site $(if $(FULL),--full) $(if $(REPOSITORY),--repository $(REPOSITORY)) $(LECTURES)

images: student
	docker build --tag course-student --file course_lib/grading/hub/student.Dockerfile .
	docker build --tag course-grader --file course_lib/grading/hub/grader.Dockerfile .

new: $(VENV)/test
	$(BIN)/python -m course_lib.maintain.skeleton $(NAME)

release: $(VENV)/lab
	$(BIN)/python -m course_lib.grading.cells $(NAME)
	@for name in $(or $(NAME),$(notdir $(wildcard solutions/ps*))); do \
		$(BIN)/nbgrader generate_assignment --log-level=ERROR "$$name" && echo "assignments/$$name is made" || exit 1; done

lint: $(VENV)/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m course_lib.maintain.widgets

pictures: $(VENV)/test
	$(BIN)/python -m tests.browser.pictures
	$(BIN)/python -m tests.browser.card_pictures
	$(BIN)/python -m tests.browser.film

clean:
	rm -rf $(VENV) dist build *.egg-info

# The environment is made once and again only when its list changes; after that no command needs the network.
$(VENV)/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is %d.%d" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/lab: $(VENV)/python pyproject.toml $(PIN)
	@echo "Installing JupyterLab, PyTorch and what else the course needs into $(VENV), once: about 2 GB (with CUDA more), some minutes."
	$(PIP) --editable .
	touch $@

$(VENV)/test: $(VENV)/lab pyproject.toml $(PIN)
	$(PIP) --editable '.[test]'
	touch $@
