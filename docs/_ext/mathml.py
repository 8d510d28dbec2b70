"""Formulas as MathML, which browsers draw themselves: no script, no pictures, no network."""

from __future__ import annotations

from docutils import nodes
from latex2mathml.converter import convert


def inline(writer, node) -> None:
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(writer, node) -> None:
    formula = convert(node.astext(), display="block")
    writer.body.append(f'<div class="math-block">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
