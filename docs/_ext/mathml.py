"""Formulas as MathML, which browsers draw themselves: no script, no pictures, no network."""

from __future__ import annotations

from docutils import nodes
from docutils.utils.math import latex2mathml


def inline(writer, node) -> None:
    writer.body.append(latex2mathml.tex2mathml(node.astext()))
    raise nodes.SkipNode


def block(writer, node) -> None:
    formula = latex2mathml.tex2mathml(node.astext(), as_block=True)
    writer.body.append(f'<div class="math-block">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
