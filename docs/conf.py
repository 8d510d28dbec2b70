"""How the site is built: `sphinx-build -W docs build/site`, without asking the network."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))
# Examples draw without a screen, and say the same with any number of cores.
os.environ.setdefault("MPLBACKEND", "Agg")

project = "regiht"
author = "regiht contributors"
copyright = "regiht contributors"  # noqa: A001  (Sphinx wants this name)
release = version = importlib.metadata.version("regiht")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "api_links",
    "api_members",
    "mathml",
    "repository",
]

# The sidebar. Captions, and pages in the order in which they are read; pages without a caption
# come first. A page that is not here makes Sphinx warn, which ends the build.
navigation = {
    "": ["tour", "gallery/index"],
    "User guide": [
        "guide",
        "choosing_s",
        "how_sure",
        "losses",
        "standardization",
        "constraints",
        "effort",
        "certificates",
        "text",
        "from_lasso",
        "lowrank",
        "scale",
        "speed",
        "determinism",
        "deployment",
        "embedding",
        "promises",
    ],
    "Theory": ["methods", "theory", "reproduce"],
    "Reference": ["api/index", "benchmarks", "l0_benchmark", "changelog"],
    "Contributing": [
        "contributing",
        "architecture",
        "adding_a_loss",
        "adding_a_method",
        "adding_an_objective",
        "adding_a_data_source",
    ],
}
repository = "https://github.com/regiht/regiht"
# Files of the repository that are pages of the site too.
repository_pages = {"CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog"}
# Folders of scripts that are pages of the gallery, but for what is no picture.
gallery_folder = "examples/python"
not_in_gallery = ["csv_to_report"]

exclude_patterns = ["_build", "_ext", "_static", "_templates", "gallery/backreferences/*"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
html_math_renderer = "mathml"

default_role = "py:obj"  # what docstrings set in single backticks is a name
autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False
add_module_names = False
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

sphinx_gallery_conf = {
    "examples_dirs": "../examples/python",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "ignore_pattern": "|".join(rf"{name}\.py" for name in not_in_gallery),
    "within_subsection_order": "gallery_order.InOrderOfReading",
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("regiht",),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "remove_config_comments": True,
    "matplotlib_animations": False,
    "image_srcset": ["2x"],
}
suppress_warnings = ["config.cache"]

html_theme = "furo"
html_title = f"regiht {release}"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_favicon = "_static/icon.svg"
html_logo = "_static/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6e99",
        "color-brand-content": "#0b6e99",
        "color-brand-visited": "#0b6e99",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cc5e8",
        "color-brand-content": "#6cc5e8",
        "color-brand-visited": "#6cc5e8",
    },
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
