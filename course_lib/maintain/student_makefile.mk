# make lab      opens the course            make clean     removes its environment

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
PIN     := .ci/constraints.txt
PIP     := $(BIN)/python -m pip install --disable-pip-version-check --constraint $(PIN)

.PHONY: lab clean

lab: $(VENV)/lab
	$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/lectures/00_start.ipynb $(AS_ROOT) $(ARGS)

clean:
	rm -rf $(VENV) build *.egg-info

# The environment is made once and again only when its list changes; after that no command needs the network.
$(VENV)/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is %d.%d" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/lab: $(VENV)/python pyproject.toml $(PIN)
	@echo "Installing JupyterLab, PyTorch and what else the course needs into $(VENV), once: about 2 GB (with CUDA more), some minutes."
	$(PIP) --editable .
	touch $@
