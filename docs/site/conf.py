# SPDX-License-Identifier: MIT
"""The documentation as a site: scripts/site. The pages are those of docs/ and stay readable as plain Markdown; this file
adds the order of the menu, the colours of .pcm files, and nothing else."""

import re
from pathlib import Path

from pygments.lexer import RegexLexer, words
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

ROOT = Path(__file__).resolve().parents[2]

project = "PCM"
author = "The PCM maintainers"
copyright = "2026, The PCM maintainers"
version = release = re.search(r"version: '([0-9.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8")).group(1)

extensions = ["myst_parser"]
root_doc = "docs/README"
include_patterns = ["docs/**.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
myst_heading_anchors = 4

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_title = f"PCM {version}"
html_show_sphinx = False
html_copy_source = False
highlight_language = "text"

# Sphinx warns of a page that is in no menu.
MENU = {
    "Start": ["install", "guide", "hour", "gallery"],
    "Choose laws": ["choosing", "datasheet", "materials", "parts", "language", "laws/README", "messages"],
    "Simulate": ["mujoco", "lammps", "replay", "live", "explore", "steps", "logs", "robots", "friction", "validate"],
    "Write laws": ["plugins", "testing", "jacobians"],
    "Embed": ["embedding", "hosts", "integrator", "python", "learning", "gpu", "spatial", "events", "geometry", "geometry-methods", "cones", "feet", "api"],
    "Rely on it": ["promises", "speed", "design", "versions", "../CHANGELOG", "../CONTRIBUTING", "../SECURITY"],
}


class PcmLexer(RegexLexer):
    """Colours for .pcm files."""

    name = "PCM"
    aliases = ["pcm"]
    statements = ("ContactType", "ObjectPair", "SurfacePair", "DefaultPair", "Material", "Surface", "Include", "Let")
    tokens = {
        "root": [
            (r"#.*|//.*", Comment.Single),
            (words(statements, suffix=r"\b"), Keyword),
            (r'"[^"\n]*"', String),
            (r"\[[^\]\n]*\]", Keyword.Type),
            (r"[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?", Number),
            (r"->|[-+*/=|]", Operator),
            (r"[\w.]+", Name),
            (r"[{}();,]", Punctuation),
            (r"\s+|.", Text),
        ]
    }


def read_page(app, page, source):
    """Adds the menu to the first page; a link to a folder, which a site does not have, becomes its words."""
    folder = (ROOT / page).parent
    source[0] = re.sub(
        r"\[([^\]]*)\]\((\.\.?/[^)#]*)\)",
        lambda link: link[1] if (folder / link[2]).is_dir() else link[0],
        source[0],
    )
    if page == root_doc:
        for caption, pages in MENU.items():
            there = [name for name in pages if (ROOT / "docs" / f"{name}.md").exists()]
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n" + "\n".join(there) + "\n```\n"
    if page == "docs/laws/README":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n*\n```\n"


def setup(app):
    app.add_lexer("pcm", PcmLexer)
    app.add_lexer("csv", TextLexer)
    app.add_lexer("lammps", TextLexer)
    app.connect("source-read", read_page)
