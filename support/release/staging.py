"""Checks a staging repository: python3 staging.py complete DIRECTORY, or python3 staging.py same FIRST SECOND.

Prints each violation, and fails if there is one. A published module is one that the staged BOM lists. Signatures
are checked by gpg, against the keys in GNUPGHOME.
"""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

GROUP = "io.feedkit"
PARENT = "feedkit-parent"
BOM = "feedkit-bom"
POM = "{http://maven.apache.org/POM/4.0.0}"
violations = []


def violation(text):
    violations.append(text)


class Pom:
    """A staged POM, and what it inherits from a staged parent."""

    def __init__(self, path, directory):
        self.text = path.read_text()
        self.root = xml.etree.ElementTree.fromstring(self.text)
        parent = self.own("parent/artifactId")
        self.parent = Pom(file_of(directory, parent, self.own("parent/version"), ".pom"), directory) if parent else None

    def own(self, path):
        return (self.root.findtext("/".join(POM + part for part in path.split("/"))) or "").strip()

    def value(self, path):
        """The value with properties replaced; empty if there is none."""
        inherited = self.parent.value(path) if self.parent else ""
        return re.sub(r"\$\{([^}]+)}", lambda name: self.value("properties/" + name[1]), self.own(path)) or inherited


def file_of(directory, module, version, suffix):
    return directory / GROUP.replace(".", "/") / module / version / f"{module}-{version}{suffix}"


def is_fresh(path):
    """Whether a file differs between two builds of the same sources: signatures and Maven's lists of versions do."""
    return ".asc" in path.name or path.name.startswith("maven-metadata.xml")


def check_same(first, second):
    names = [
        {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and not is_fresh(path)}
        for root in (first, second)
    ]
    for name in sorted(names[0] ^ names[1]):
        violation(f"only one build has {name}")
    for name in sorted(names[0] & names[1]):
        if (first / name).read_bytes() != (second / name).read_bytes():
            violation(f"two builds differ in {name}{differing_entries(first / name, second / name)}")
    print(f"{len(names[0] & names[1])} files compared")


def differing_entries(first, second):
    if first.suffix != ".jar":
        return ""
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as other:
        described = [
            {(entry.filename, entry.CRC, entry.date_time, entry.external_attr) for entry in jar.infolist()}
            for jar in (one, other)
        ]
    return ": " + ", ".join(sorted({entry[0] for entry in described[0] ^ described[1]})[:5])


def check_complete(directory):
    group = directory / GROUP.replace(".", "/")
    versions = sorted(path.name for path in (group / BOM).iterdir() if path.is_dir())
    if len(versions) != 1:
        raise SystemExit(f"{BOM} is staged in {len(versions)} versions, expected 1")
    version = versions[0]
    bom = xml.etree.ElementTree.parse(file_of(directory, BOM, version, ".pom"))
    published = {
        dependency.findtext(POM + "artifactId")
        for dependency in bom.iter(POM + "dependency")
        if dependency.findtext(POM + "groupId") == GROUP
    }
    staged = {path.name for path in group.iterdir() if path.is_dir()}
    for module in sorted(staged - published - {PARENT, BOM}):
        violation(f"{module} is staged, but is not in {BOM}; an unpublished module sets maven.deploy.skip")
    for module in sorted({PARENT, BOM} - staged):
        violation(f"{module} is not staged")
    for module in sorted(published):
        check_files(directory, module, version)
    for module in sorted((published | {PARENT, BOM}) & staged):
        check_pom(directory, module, version)
    signed = check_signatures(directory)
    print(f"{len(published)} published modules, {signed} files signed")


def check_files(directory, module, version):
    for suffix, what in [
        (".jar", "jar"),
        ("-sources.jar", "sources jar"),
        ("-javadoc.jar", "Javadoc jar"),
        ("-cyclonedx.json", "SBOM"),
        (".pom", "POM"),
    ]:
        if not file_of(directory, module, version, suffix).is_file():
            violation(f"{module} has no {what}")
    check_content(directory, module, version, ".jar", "META-INF/LICENSE", "licence")
    check_content(directory, module, version, "-sources.jar", "META-INF/LICENSE", "licence")
    check_content(directory, module, version, "-sources.jar", ".java", "source file")
    check_content(directory, module, version, "-javadoc.jar", "index.html", "index")
    sbom = file_of(directory, module, version, "-cyclonedx.json")
    if sbom.is_file():
        described = json.loads(sbom.read_text())["metadata"]["component"]
        if (described["name"], described["version"]) != (module, version):
            violation(f"the SBOM of {module} {version} describes {described['name']} {described['version']}")


def check_content(directory, module, version, suffix, ending, what):
    jar = file_of(directory, module, version, suffix)
    if jar.is_file():
        with zipfile.ZipFile(jar) as content:
            if not any(name.endswith(ending) for name in content.namelist()):
                violation(f"{jar.name} has no {what}")


def check_pom(directory, module, version):
    path = file_of(directory, module, version, ".pom")
    if not path.is_file():
        return
    pom = Pom(path, directory)
    for name in ["name", "description"]:
        if not pom.own(name):
            violation(f"the POM of {module} has no {name}")
    for name in [
        "url",
        "licenses/license/name",
        "licenses/license/url",
        "developers/developer/name",
        "scm/connection",
        "scm/url",
    ]:
        value = pom.value(name)
        if not value:
            violation(f"the POM of {module} has no {name}")
        elif name.endswith("url") and not re.fullmatch(r"https://(?!feedkit\.invalid)\S+", value):
            violation(f"{name} in the POM of {module} is no public address: {value}")
    if "-SNAPSHOT" in pom.text:
        violation(f"the POM of {module} names a snapshot")


def check_signatures(directory):
    signed = 0
    for path in sorted(directory.rglob("*")):
        if not path.is_file() or path.suffix in {".asc", ".md5", ".sha1"} or path.name.startswith("maven-metadata.xml"):
            continue
        signature = path.with_name(path.name + ".asc")
        if not signature.is_file():
            violation(f"{path.name} has no signature")
            continue
        gpg = subprocess.run(
            ["gpg", "--batch", "--status-fd", "1", "--verify", str(signature), str(path)], capture_output=True, text=True
        )
        if gpg.returncode != 0 or "[GNUPG:] VALIDSIG" not in gpg.stdout:
            violation(f"the signature of {path.name} is not valid")
        signed += 1
    return signed


if __name__ == "__main__":
    command, *directories = sys.argv[1:]
    {"complete": check_complete, "same": check_same}[command](*map(pathlib.Path, directories))
    for text in violations:
        print(text)
    sys.exit(bool(violations))
