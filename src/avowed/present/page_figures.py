"""Figures inside the page: SVG made safe to stand beside other SVG in one document."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from avowed.present.figures_factors.empty import why_empty
from avowed.refusal import Unusable

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_HREF = f"{{{_XLINK}}}href"
# What a drawing needs; anything that could fetch or run something is refused.
_DRAWING = {
    "svg", "g", "defs", "path", "use", "clipPath", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "text", "tspan", "pattern", "marker", "linearGradient", "radialGradient", "stop",
    "title", "desc", "mask", "symbol",
}  # fmt: skip
# Left out: who drew it when, and rules that would apply to the whole page.
_LEFT_OUT = {"metadata", "style"}
_URL = re.compile(r"url\(\s*(['\"]?)#([^)'\"]+)\1\s*\)")


@dataclass(frozen=True)
class Figure:
    """A figure of the page: its drawing as markup, its caption, and the table it was drawn from.

    ``empty`` says why there is nothing in it; such a figure is named and not shown.
    """

    name: str
    svg: str
    caption: str
    href: str
    table: str
    table_href: str
    empty: str = ""


def inline_svg(text: str, name: str, description: str) -> str:
    """Turn an SVG file into markup for the inside of an HTML page.

    Every id, and every reference to one, gets the figure's name in front, because several figures
    of one program use the same ids. Comments, metadata and style sheets go; the size follows the
    page. ``description`` is what a screen reader says.

    Raises:
        Unusable: it is not SVG, or holds something that is no drawing: a script, a link elsewhere.

    >>> print(inline_svg('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g id="a"/>'
    ...     '</svg>', "f", "A dot."))
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" role="img" aria-label="A dot."><g \
id="f-a" /></svg>
    """
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise Unusable(f"figure {name}: not an SVG file ({error}); make it again") from None
    if root.tag != f"{{{_SVG}}}svg":
        raise Unusable(f"figure {name}: found <{root.tag}>, expected <svg>; make it again")
    prefix = re.sub(r"[^A-Za-z0-9_-]", "-", name)
    _clean(root, prefix, name)
    width, height = (root.attrib.pop(key, "") for key in ("width", "height"))
    if "viewBox" not in root.attrib:
        sizes = [re.match(r"[0-9.]+", size) for size in (width, height)]
        root.set("viewBox", " ".join(["0 0", *(size.group() if size else "1" for size in sizes)]))
    root.attrib.pop("version", None)
    root.set("role", "img")
    root.set("aria-label", description)
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    return ET.tostring(root, encoding="unicode").strip()


def _clean(element: ET.Element, prefix: str, name: str) -> None:
    for child in list(element):
        tag = child.tag.removeprefix(f"{{{_SVG}}}")
        if tag in _LEFT_OUT:
            element.remove(child)
        elif tag not in _DRAWING:
            raise Unusable(f"figure {name}: found <{tag}>, which is no part of a drawing")
        else:
            _clean(child, prefix, name)
    for key, value in list(element.attrib.items()):
        if key == "id":
            element.set(key, f"{prefix}-{value}")
        elif key in (_HREF, "href"):
            if not value.startswith("#"):
                raise Unusable(f"figure {name}: found a link to {value[:60]!r}, expected #...")
            element.set(key, f"#{prefix}-{value[1:]}")
        elif key.lower().startswith("on"):
            raise Unusable(f"figure {name}: found the attribute {key}, which would run a script")
        else:
            changed = _URL.sub(rf"url(#{prefix}-\2)", value)
            if "url(" in changed.replace(f"url(#{prefix}-", ""):
                raise Unusable(f"figure {name}: found {value[:60]!r}, expected url(#...)")
            element.set(key, changed)
    # Only what stands between the elements, which is white space; a text keeps its own.
    if element.tail and not element.tail.strip():
        element.tail = "\n"


def captions_of(readme: str) -> dict[str, str]:
    """Figure -> what it shows, from the table in ``figures/README.md`` whose first head is figure.

    >>> captions_of("| figure | what it shows |\\n|:--|:--|\\n| `a`, `b` | dots (table `c`) |\\n")
    {'a': 'Dots (table c).', 'b': 'Dots (table c).'}
    >>> captions_of("| column | meaning |\\n|:--|:--|\\n| `k` in `a` | a rank |\\n")
    {}
    """
    found: dict[str, str] = {}
    head = ""
    for line in readme.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        head = (head or cells[0]) if line.startswith("|") else ""
        names = re.findall(r"`([^`]+)`", cells[0])
        if head == "figure" and len(cells) == 2 and names and cells[1]:
            text = cells[1].replace("`", "").rstrip(".")
            found |= dict.fromkeys(names, f"{text[0].upper()}{text[1:]}.")
    return found


def read_figures(
    files: Sequence[Path],
    *,
    captions: Mapping[str, str],
    tables: Mapping[str, str],
    link_to: Mapping[str, str],
) -> list[Figure]:
    """Read figures in the order of the captions, then by name.

    Args:
        files: SVG files; a figure's name is its file's stem.
        captions: Name -> caption. A figure without one is captioned with its table alone.
        tables: Name -> the table it was drawn from, as the reader is told.
        link_to: File or table -> the way there from the page.

    Raises:
        Unusable: a file cannot be read or is no drawing.
    """
    order = {name: place for place, name in enumerate(captions)}
    figures = []
    for path in sorted(files, key=lambda one: (order.get(one.stem, len(order)), one.stem)):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise Unusable(f"{path} cannot be read ({error}); make it again") from None
        caption = captions.get(path.stem, "")
        table = tables.get(path.stem, "")
        figures.append(
            Figure(
                name=path.stem,
                svg=inline_svg(text, path.stem, caption or f"Figure {path.stem}"),
                caption=caption,
                href=link_to.get(str(path), ""),
                table=table,
                table_href=link_to.get(table, ""),
                empty=why_empty(path.stem) if table and _without_rows(Path(table)) else "",
            )
        )
    return figures


def _without_rows(table: Path) -> bool:
    """Whether a table is there and holds its header alone."""
    if not table.is_file():
        return False
    with table.open(encoding="utf-8") as lines:
        return sum(1 for _, line in zip(range(2), lines, strict=False) if line.strip()) < 2
