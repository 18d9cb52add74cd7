"""Looks through a built site: dead links, pages without a way back, and what a browser would load from elsewhere."""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.loaded = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.ids.add(values["id"])
        if tag == "a" and values.get("name"):
            self.ids.add(values["name"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        loaded = values.get(self.LOADED.get(tag, ""))
        if loaded and not (tag == "link" and values.get("rel") in ("canonical", "next", "prev")):
            self.loaded.append(loaded)


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(errors="replace")) for path in site.rglob("*.html") if "api" not in path.relative_to(site).parts[:-1]}
    wrong = []
    for path, page in sorted(pages.items()):
        name = path.relative_to(site).as_posix()
        if name == "404.html":
            continue
        home = False
        for link in page.links + page.loaded:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loaded and url.scheme != "data":
                    wrong.append("%s loads %s from elsewhere" % (name, link))
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if target.is_dir():
                target = target / "index.html"
            home = home or target == site / "index.html"
            if not target.exists():
                wrong.append("%s links to %s, which is not there" % (name, link))
            elif link in page.loaded and target.suffix == ".svg" and "prefers-color-scheme" not in target.read_text():
                wrong.append("%s shows %s, which has no dark form" % (name, link))
            elif url.fragment and target in pages and url.fragment != "__toc" and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                wrong.append("%s links to %s, where there is no such heading" % (name, link))
        if not home:
            wrong.append("%s has no way back to the first page" % name)
    if len(pages) < 40:
        wrong.append("only %d pages were found in %s" % (len(pages), site))
    print("\n".join(wrong) if wrong else "%d pages, no dead link" % len(pages))
    sys.exit(bool(wrong))


main()
