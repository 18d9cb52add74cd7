package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedFileSystemsTest {
    @ParameterizedTest
    @CsvSource({
        "nfs4,true",
        "autofs,true",
        "NFS,true",
        "fuse,true",
        "fuse.sshfs,true",
        "FUSE.s3fs,true",
        "macfuse,true",
        "9p,true",
        "virtiofs,true",
        "virtiofs.virtiofs0,true",
        "fakeowner,true",
        "cifs,true",
        "smb3,true",
        "wekafs,true",
        "cvfs,true",
        "ceph,true",
        "vboxsf,true",
        "ext4,false",
        "tmpfs,false",
        "overlay,false",
        "xfs,false",
        "btrfs,false",
        "zfs,false",
        "fuseblk,true",
        "fuse.fuse-overlayfs,false"
    })
    void sharedFileSystems(String type, boolean shared) {
        assertThat(SharedFileSystems.include(type)).isEqualTo(shared);
    }
}
