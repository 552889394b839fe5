#!/usr/bin/env python3
"""Says what a static program is made of: release_contents.py VERSION PROCESSOR FOLDER LINK DEPS [SYSROOT]

LINK is the map that the linker wrote, DEPS what `ninja -t deps` prints: each archive, object and header of a Debian package
that they name makes that package a part of bin/onnxc in FOLDER. Written are FOLDER/onnxc.spdx.json and, for each package,
FOLDER/licences/PACKAGE. Packages of SYSROOT lie in SYSROOT/packages; those of the machine are known to dpkg.
"""
import glob, hashlib, json, os, re, shutil, subprocess, sys, time, uuid


def files_used(link, deps, prefixes):
    """Returns the files of packages that were compiled or linked."""
    named = set()
    with open(link, errors="replace") as file:
        for line in file:
            if match := re.match(r"(?:LOAD )?(/[^\s()]+)(?:\([^)]*\))?", line):
                named.add(match[1])
    with open(deps) as file:
        named.update(line.strip() for line in file if line.startswith("    "))
    return {path for path in map(os.path.normpath, named) if path.startswith(prefixes) and os.path.isfile(path)}


def sysroot_packages(sysroot):
    """Returns the package, version and architecture of each file, and the copyright of each package."""
    owners, copyrights = {}, {}
    for deb in sorted(glob.glob(os.path.join(sysroot, "packages", "*.deb"))):
        fields = [subprocess.run(["dpkg-deb", "--field", deb, field], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
                  for field in ("Package", "Version", "Architecture")]
        listing = subprocess.run(["dpkg-deb", "--contents", deb], stdout=subprocess.PIPE, check=True, text=True).stdout
        for line in listing.splitlines():
            owners[os.path.join(sysroot, line.split(None, 5)[5].split(" -> ")[0][2:])] = tuple(fields)
        copyrights[fields[0]] = os.path.join(sysroot, "usr/share/doc", fields[0], "copyright")
        if not os.path.exists(copyrights[fields[0]]):  # a link to another package, which is installed on the machine as well
            copyrights[fields[0]] = f"/usr/share/doc/{fields[0]}/copyright"
    return owners, copyrights


def machine_packages(paths):
    """Returns the same for files of this machine."""
    if not paths:
        return {}, {}
    found = subprocess.run(["dpkg", "-S", *sorted(paths)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    by_path = {path: package for package, path in (line.split(": ", 1) for line in found.splitlines() if not line.startswith("diversion"))}
    names = sorted(set(by_path.values()))
    listing = subprocess.run(["dpkg-query", "-W", "-f", "${binary:Package}\t${Package}\t${Version}\t${Architecture}\n", *names],
                             stdout=subprocess.PIPE, check=True, text=True).stdout
    about, copyrights = {}, {}
    for line in listing.splitlines():
        full, package, version, architecture = line.split("\t")
        about[full] = about[package] = about[f"{package}:{architecture}"] = (package, version, architecture)
        copyrights[package] = f"/usr/share/doc/{package}/copyright"
    return {path: about[package] for path, package in by_path.items()}, copyrights


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def spdx(version, processor, packages, program):
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    own = {"SPDXID": "SPDXRef-onnxc", "name": "onnxc", "versionInfo": version, "downloadLocation": "NOASSERTION",
           "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
           "primaryPackagePurpose": "APPLICATION", "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(program)}]}
    parts = [{"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": number,
              "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
              "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "licenseComments": f"licences/{name}",
              "copyrightText": "NOASSERTION",
              "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}@{number.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}"}]}
             for name, number, architecture in packages]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-onnxc")]
    relations += [("SPDXRef-onnxc", "STATIC_LINK", part["SPDXID"]) for part in parts]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"onnxc-{version}-linux-{processor}",
            "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, sha256(program))}",
            "creationInfo": {"created": created, "creators": ["Tool: scripts/release"]}, "packages": [own, *parts],
            "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), one)) for one in relations]}


def main():
    version, processor, folder, link, deps, *sysroot = sys.argv[1:]
    prefixes = tuple(["/usr/", "/lib/", *(root + "/usr/" for root in sysroot)])
    paths = files_used(link, deps, prefixes)
    owners, copyrights = sysroot_packages(sysroot[0]) if sysroot else ({}, {})
    more, more_copyrights = machine_packages(paths - owners.keys())
    owners, copyrights = owners | more, copyrights | more_copyrights
    if strange := sorted(path for path in paths if path not in owners):
        sys.exit(f"These files are part of the program, and of no Debian package: {strange[:10]}")
    packages = sorted({owners[path] for path in paths})
    for name, _, _ in packages:
        shutil.copyfile(copyrights[name], os.path.join(folder, "licences", name))
    with open(os.path.join(folder, "onnxc.spdx.json"), "w") as file:
        json.dump(spdx(version, processor, packages, os.path.join(folder, "bin/onnxc")), file, indent=1)
        file.write("\n")
    print("\n".join(f"{name} {number}" for name, number, _ in packages))


if __name__ == "__main__":
    main()
