#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2"]
# ///
"""The commands of CONTRIBUTING, each in an environment of its own. `nox -l` lists them."""

from __future__ import annotations

from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv|virtualenv"

PYPROJECT = nox.project.load_toml("pyproject.toml")


def install(session: nox.Session, *groups: str, package: bool = False) -> None:
    """Install dependency groups, and the package itself where it is wanted."""
    session.install(
        *(["-e", "."] if package else []), *nox.project.dependency_groups(PYPROJECT, *groups)
    )


@nox.session
def tests(session: nox.Session) -> None:
    """Run the Python tests; `nox -s tests -- -k name` runs some of them."""
    install(session, "test", package=True)
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session(default=False)
def slow(session: nox.Session) -> None:
    """Run the slow tests, and every combination of those that are thinned to pairs."""
    install(session, "test", package=True)
    session.run("pytest", "-n", "auto", "-m", "slow or pairs", "--all-combinations")


@nox.session(default=False)
def coverage(session: nox.Session) -> None:
    """Run the Python tests and measure which lines and branches they reach; there is a floor."""
    install(session, "test", package=True)
    session.run("pytest", "-n", "auto", "--cov", "--cov-report=term:skip-covered", *session.posargs)


@nox.session(default=False)
@nox.parametrize("preset", ["release", "debug", "asan", "tsan", "clang"])
def cpp(session: nox.Session, preset: str) -> None:
    """Build and run the C++ tests as a CMake preset says."""
    install(session, "cpp")
    # The thread sanitizer of older compilers cannot do with randomized addresses.
    prefix = ["setarch", "-R"] if preset == "tsan" else []
    session.run(*prefix, "cmake", "--workflow", "--preset", preset, external=True)


@nox.session(name="coverage-cpp", default=False)
def coverage_cpp(session: nox.Session) -> None:
    """Run the C++ tests and measure which lines and branches they reach (needs clang, LLVM)."""
    install(session, "cpp")
    session.run("python", "bench/coverage_cpp.py", *session.posargs)


@nox.session(default=False)
def fuzz(session: nox.Session) -> None:
    """Fuzz the C++ core: `nox -s fuzz -- 600` for ten minutes each (needs clang)."""
    install(session, "cpp")
    session.run("cmake", "--preset", "fuzz", external=True)
    session.run("cmake", "--build", "--preset", "fuzz", external=True)
    seconds = session.posargs[0] if session.posargs else "60"
    for harness in ("libsvm", "c_interface"):
        corpus = Path("build/fuzz/corpus") / harness
        corpus.mkdir(parents=True, exist_ok=True)
        session.run(
            f"build/fuzz/fuzz_{harness}", f"-max_total_time={seconds}", "-timeout=10",
            str(corpus), f"cpp/fuzz/corpus/{harness}", external=True,
        )  # fmt: skip


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """See that the tests notice known faults: `nox -s mutants -- --only NAME` (needs clang)."""
    install(session, "mutants", package=True)
    session.run("python", "tests/mutation/run.py", *(session.posargs or ["--jobs", "2"]))


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style and spelling."""
    install(session, "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("codespell")
    files = session.run("git", "ls-files", "*.[ch]", "*.[ch]pp", external=True, silent=True)
    session.run("clang-format", "--dry-run", "-Werror", *str(files).split())


@nox.session
def types(session: nox.Session) -> None:
    """Check types, and that the stub of the compiled module says what is in it."""
    install(session, "test", "lint", package=True)
    session.run("mypy")
    session.run(
        "python", "-m", "mypy.stubtest", "regiht._core",
        "--allowlist", "python/stubtest-allowlist.txt",
    )  # fmt: skip


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the site into build/site, run the examples of the pages and follow their links."""
    install(session, "docs", package=True)
    session.run("sphinx-build", "-W", "-q", "-j", "auto", "docs", "build/site")
    session.run("pytest", "tests/docs", env={"REGIHT_SITE": "build/site"})


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Run a benchmark: `nox -s bench -- bench/calls.py`."""
    session.install(".[test]")
    session.run("python", *(session.posargs or ["bench/run.py"]))


if __name__ == "__main__":
    nox.main()
