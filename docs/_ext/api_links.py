"""Names of the public API in running text, such as `sparse_path`, lead to its reference."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

CALL = re.compile(r"(regiht\.)?((?:\w+\.)?\w+)(?:\(.*\))?\Z")
# Pages on which a bare name, such as `Objective`, is one of C++.
OF_CPP = {"architecture", "embedding"}
# Where the reader is about to write code, a name says what it is; there is no more to look up.
NOT_IN = (nodes.reference, nodes.title, addnodes.pending_xref)


def public_names() -> frozenset[str]:
    import regiht  # noqa: PLC0415  (read when a site is built, not when the extension is listed)

    top = {name for name in regiht.__all__ if not name.startswith("_")}
    modules = (
        "dataset",
        "datasets",
        "distributed",
        "lowrank",
        "plotting",
        "reference",
        "theory",
        "onnx",
    )
    below = {f"{m}.{n}" for m in modules for n in getattr(regiht, m).__all__}
    return frozenset((top - set(modules)) | below)


class LinkNames(SphinxTransform):
    default_priority = 400

    def apply(self, **_):
        names = public_names()
        page = self.env.current_document.docname
        for literal in list(self.document.findall(nodes.literal)):
            parts = CALL.match(literal.astext())
            if not parts or parts[2] not in names or inside(literal):
                continue
            if page in OF_CPP and not parts[1]:
                continue
            xref = addnodes.pending_xref(
                "", literal.deepcopy(), refdomain="py", reftype="obj", refexplicit=True,
                reftarget=f"regiht.{parts[2]}", refdoc=page, refwarn=True,
            )  # fmt: skip
            literal.replace_self(xref)


def inside(node: nodes.Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, NOT_IN):
            return True
    return False


def setup(app):
    app.add_transform(LinkNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
