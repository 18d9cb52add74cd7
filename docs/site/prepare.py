"""Copies the pages to where mkdocs reads them, in the way that it reads them.

The pages are written as a repository shows them. Here links to sources become links to pages that show them, and lists are
indented by four, as Python's Markdown wants it.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.)(\s+)(?=\S)")
LINK = re.compile(r"(?<!\\)(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
LANGUAGES = {".java": "java", ".kt": "kotlin", ".xml": "xml", ".sh": "sh", ".sql": "sql", ".lua": "lua", ".yml": "yaml"}


class Site:
    def __init__(self, root, to):
        self.root = root
        self.pages = to / "pages"
        self.done = {}
        self.waiting = []

    def place(self, path):
        """Where a file or directory of the repository is in the site; it is copied if nobody has asked for it yet."""
        name = path.relative_to(self.root).as_posix()
        if name == "README.md":
            place = "index.md"
        elif path.is_dir():
            place = "source/" + name + "/index.md"
        elif name.startswith("docs/"):
            place = name[len("docs/"):]
        else:
            place = "source/" + name
        if not place.endswith((".md", ".svg", ".png")):
            place += ".md"
        if place.endswith("/README.md"):
            place = place[: -len("README.md")] + "index.md"
        if place not in self.done:
            self.done[place] = path
            self.waiting.append(place)
        return place

    def copy_all(self):
        while self.waiting:
            place = self.waiting.pop()
            path = self.done[place]
            target = self.pages / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                target.write_text(self.directory(path, place))
            elif path.suffix == ".md":
                target.write_text(self.page(path, place))
            elif place.endswith(".md"):
                target.write_text(source(path))
            else:
                target.write_bytes(path.read_bytes())

    def directory(self, path, place):
        files = sorted(file for file in path.rglob("*") if file.is_file() and "target" not in file.relative_to(path).parts)
        lines = ["# " + path.name, ""]
        readme = path / "README.md"
        if readme.exists():
            lines = [self.page(readme, place), ""]
        for file in files:
            if file != readme:
                lines.append("- [%s](%s)" % (file.relative_to(path).as_posix(), relative(place, self.place(file))))
        return "\n".join(lines) + "\n"

    def page(self, path, place):
        def link(match):
            target, _, fragment = match[3].partition("#")
            if not target or re.match(r"[a-z]+:", target):
                return match[0]
            there = (path.parent / target).resolve()
            if not there.exists():
                sys.exit("docs/build: %s links to %s, which is not there" % (path.relative_to(self.root), target))
            where = relative(place, self.place(there))
            return "%s[%s](%s%s)" % (match[1], match[2], where, "#" + fragment if fragment else "")

        lines, fenced = [], False
        for line in indented(path.read_text().split("\n")):
            if FENCE.match(line):
                fenced = not fenced
            lines.append(line if fenced else LINK.sub(link, line))
        return "\n".join(lines)


def relative(place, target):
    here = pathlib.PurePosixPath(place).parent
    up = 0
    while not pathlib.PurePosixPath(target).is_relative_to(here):
        here = here.parent
        up += 1
    return "../" * up + pathlib.PurePosixPath(target).relative_to(here).as_posix()


def source(path):
    return "# %s\n\n```%s\n%s\n```\n" % (path.name, LANGUAGES.get(path.suffix, "text"), path.read_text().rstrip("\n"))


def indented(lines):
    """Gives each level of a list four columns, and each list an empty line before it."""
    open_items, fenced, before = [], False, ""
    for line in lines:
        if not line.strip():
            yield line
            before = ""
            continue
        indent = len(line) - len(line.lstrip())
        item = None if fenced else ITEM.match(line)
        if not fenced:
            while open_items and indent < open_items[-1] and (item or not before or FENCE.match(line)):
                open_items.pop()
        top = open_items[-1] if open_items else 0
        moved = " " * (4 * len(open_items) + max(0, indent - top)) + line.lstrip() if open_items and indent >= top else line
        if item:
            if before and not open_items and not ITEM.match(before):
                yield ""
            open_items.append(indent + len(item[2]) + len(item[3]))
        if FENCE.match(line):
            fenced = not fenced
        yield moved
        before = line


def title(path):
    return next(line[2:] for line in path.read_text().split("\n") if line.startswith("# ")).replace("`", "")


def navigation(site, root):
    """The doors of nav.txt, and what is behind none of them."""
    lines, listed, behind = ["nav:", "  - Belay: index.md"], set(), {}
    for line in (root / "docs/site/nav.txt").read_text().split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            door = line
            lines.append("  - %s:" % door)
            continue
        path = root / line.strip()
        listed.add(path)
        behind[line.strip()] = door
        lines.append("      - %s: %s" % (quoted(title(path)), site.place(path)))
    for door, row in re.findall(r"(?m)^\| \*\*(.+?)\*\* \| (.*)$", (root / "README.md").read_text()):
        for page in re.findall(r"\]\(([^)#]+)\)", row) if door in behind.values() else []:
            assert behind.get(page) == door, "nav.txt has %s elsewhere than the first page, which has it behind: %s" % (page, door)
    rest = sorted(path for path in (root / "docs").rglob("*.md") if path not in listed)
    if rest:
        lines.append("  - More:")
        lines += ["      - %s: %s" % (quoted(title(path)), site.place(path)) for path in rest]
    return lines


def quoted(text):
    return '"%s"' % text.replace('"', "'")


def api(site):
    """A page of the Javadoc, where there is any."""
    modules = sorted(path.name for path in (site.pages / "api").glob("*") if (path / "index.html").exists())
    if not modules:
        return []
    lines = ["# Javadoc", "", "Of each published module:", ""] + ["- [belay-%s](api/%s/index.html)" % (name, name) for name in modules]
    (site.pages / "api.md").write_text("\n".join(lines) + "\n")
    return ["  - Javadoc: api.md"]


def main():
    root, to = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    site = Site(root, to)
    site.pages.mkdir(parents=True, exist_ok=True)
    site.place(root / "README.md")
    lines = navigation(site, root) + api(site)
    site.copy_all()
    settings = (root / "docs/site/mkdocs.yml").read_text()
    (to / "mkdocs.yml").write_text(settings + "\n".join(lines) + "\n")


main()
