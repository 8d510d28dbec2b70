"""The reference shows what this package defines, and of what it inherits only what it needs."""

from __future__ import annotations

import inspect


def skip(app, what, name, member, would_skip, options):  # noqa: ARG001  (the event has them)
    function = inspect.unwrap(getattr(member, "fget", None) or member)
    module = getattr(function, "__module__", None) or ""
    if what in ("class", "exception") and not module.startswith("regiht"):
        return True
    return None


def setup(app):
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
