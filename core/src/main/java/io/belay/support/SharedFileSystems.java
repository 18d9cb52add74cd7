package io.belay.support;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** File systems that other machines write to, or that may not show one process what another has mapped. */
public final class SharedFileSystems {
    private static final Set<String> TYPES = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb",
            "smbfs",
            "smb2",
            "smb3",
            "9p",
            "virtiofs",
            "fakeowner", // what Docker Desktop puts over that
            "ceph",
            "lustre",
            "afs",
            "autofs", // what is mounted over it, at the same place, is told second: mostly NFS
            "beegfs",
            "gpfs",
            "gfs",
            "gfs2",
            "ocfs2",
            "glusterfs",
            "orangefs",
            "pvfs2",
            "coda",
            "ncpfs",
            "davfs",
            "webdav",
            "acfs",
            "vboxsf",
            "vmhgfs",
            "prl_fs",
            "hostfs",
            "drvfs",
            "panfs",
            "afpfs",
            "wekafs",
            "cvfs");

    private SharedFileSystems() {}

    /**
     * Returns whether other machines may share a file system of that type. One of FUSE counts as shared, whatever
     * stands behind it; but for the root of a container without a daemon, which is a local one. What stands behind a dot
     * names one mount among others of its type.
     */
    public static boolean include(String type) {
        Objects.requireNonNull(type, "type");
        String name = type.toLowerCase(Locale.ROOT);
        return TYPES.contains(name.replaceFirst("\\..*", ""))
                || (name.contains("fuse") && !name.equals("fuse.fuse-overlayfs"));
    }
}
