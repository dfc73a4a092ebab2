#!/usr/bin/env python3
"""Draws what a terminal shows, as an SVG picture.

usage: draw.py light|dark [COLUMNS] < OUTPUT_WITH_ANSI_COLOURS > PICTURE.svg

Knows colours (16, 256, 24 bits), bold, underline and inverse; longer lines wrap at COLUMNS (default 100).
"""

import re
import sys
import unicodedata
from html import escape

CELL = (8.4, 18)  # width and height of a character, in pixels
MARGIN = 14
# Foreground, background, and the 16 colours of a terminal.
THEMES = {
    "dark": (
        "#d8dee9 #1f2430 "
        "#3b4252 #f07178 #a6d189 #e5c07b #7aa2f7 #c792ea #7dcfff #d8dee9 "
        "#7b88a1 #ff8b92 #b9e3a0 #f0d399 #9dbcff #d9b3f5 #a5e3ff #ffffff"
    ),
    "light": (
        "#24292f #f6f8fa "
        "#24292f #cf222e #116329 #7d4e00 #0550ae #8250df #1b7c83 #57606a "
        "#57606a #a40e26 #1a7f37 #633c01 #0969da #6639ba #3192aa #24292f"
    ),
}
FOREGROUND, BACKGROUND, *PALETTE = THEMES["dark"].split()
PLAIN = {"fg": None, "bg": None, "bold": False, "underline": False, "inverse": False}


def colour_256(number):
    if number < 16:
        return PALETTE[number]
    if number >= 232:
        return "#" + 3 * f"{8 + 10 * (number - 232):02x}"
    levels = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#" + "".join(f"{levels[number // step % 6]:02x}" for step in (36, 6, 1))


def restyled(style, codes):
    """The style after an SGR sequence."""
    style, codes = dict(style), [int(code or 0) for code in re.split("[;:]", codes)]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = dict(PLAIN)
        elif code in (1, 4, 7, 22, 24, 27):
            name = {1: "bold", 2: "bold", 4: "underline", 7: "inverse"}[code % 20]
            style[name] = code < 20
        elif code in (38, 48):
            kind = codes.pop(0)
            count = 1 if kind == 5 else 3
            values, codes = codes[:count], codes[count:]
            picked = colour_256(values[0]) if kind == 5 else "#" + "".join(f"{v:02x}" for v in values)
            style["fg" if code == 38 else "bg"] = picked
        elif code in (39, 49):
            style["fg" if code == 39 else "bg"] = None
        elif 30 <= code <= 47 or 90 <= code <= 107:
            key = "fg" if code % 60 < 40 else "bg"
            style[key] = PALETTE[code % 10 + (8 if code >= 90 else 0)]
    return style


def rows_of(text, columns):
    """Rows of (column, width, style, text) runs."""
    rows, style = [], dict(PLAIN)
    for line in text.replace("\r", "").rstrip("\n").split("\n"):
        row, column = [], 0
        for part in re.split(r"(\x1b\[[0-9;:?]*[a-zA-Z]|\x1b\([A-Z0-9])", line):
            if part.startswith("\x1b"):
                if part.endswith("m"):
                    style = restyled(style, part[2:-1])
                continue
            for character in part:
                width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
                if column + width > columns:
                    rows.append(row)
                    row, column = [], 0
                # A wide character stands alone, as fonts disagree about its width.
                if row and row[-1][2] == style and row[-1][1] == len(row[-1][3]) and width == 1:
                    start, length, _, before = row[-1]
                    row[-1] = (start, length + 1, style, before + character)
                else:
                    row.append((column, width, style, character))
                column += width
        rows.append(row)
    return rows


def drawn(rows, columns):
    width, height = CELL
    size = (columns * width + 2 * MARGIN, len(rows) * height + 2 * MARGIN)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" '
        f'width="{size[0]:.0f}" height="{size[1]:.0f}" font-size="14" xml:space="preserve" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">'
    )
    yield "<style>text { white-space: pre }</style>"
    yield f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    for number, row in enumerate(rows):
        top = MARGIN + number * height
        for column, cells, style, text in row:
            left, length = MARGIN + column * width, cells * width
            foreground, background = style["fg"] or FOREGROUND, style["bg"]
            if style["inverse"]:
                foreground, background = background or BACKGROUND, foreground
            if background:
                yield f'<rect x="{left:.1f}" y="{top}" width="{length:.1f}" height="{height}" fill="{background}"/>'
            if not text.strip():
                continue
            # Renderers disagree about spaces at the ends of a text.
            left += width * (len(text) - len(text.lstrip(" ")))
            text = text.strip(" ")
            length = width * sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)
            look = ' font-weight="bold"' if style["bold"] else ""
            look += ' text-decoration="underline"' if style["underline"] else ""
            yield (
                f'<text x="{left:.1f}" y="{top + 14}" textLength="{length:.1f}" fill="{foreground}"{look}>'
                f"{escape(text, quote=False)}</text>"
            )
    yield "</svg>"


def main():
    global FOREGROUND, BACKGROUND, PALETTE
    FOREGROUND, BACKGROUND, *PALETTE = THEMES[sys.argv[1]].split()
    columns = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    text = sys.stdin.buffer.read().decode("utf-8")
    sys.stdout.write("\n".join(drawn(rows_of(text, columns), columns)) + "\n")


if __name__ == "__main__":
    main()
