"""The figures and claims of the paper, run here: what ``regiht reproduce`` does.

An experiment is a module with

- ``NAME``, ``TITLE`` and ``ALT`` (what its figure shows, for those who cannot see it);
- ``FULL`` and ``QUICK``: how much to do, as dataclasses;
- ``parameters(size, sources)``: all that its result depends on, as JSON can hold it;
- ``count_steps(size, sources)`` and ``run(size, sources, steps)``, which returns an `Outcome` and
  calls ``steps.begin(name)`` that many times;
- ``draw(figure, outcome)``: the figure, from an outcome that may have been read from files.

Listing its module here is all that is needed.
"""

MODULES = {
    "fig1": "figure1",
    "fig2": "figure2",
    "hard-instance": "hard_instance",
    "recovery": "recovery",
    "theorem": "theorem",
    "lowrank": "low_rank",
}
