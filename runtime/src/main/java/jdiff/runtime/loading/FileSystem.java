package jdiff.runtime.loading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * What a weight file lies on.
 *
 * @param type as the system calls it, for instance {@code ext4} or {@code nfs4}
 */
record FileSystem(String type) {
    /** What is known to be of this machine; all else counts as remote, and what is unknown as well. */
    private static final Set<String> LOCAL = Set.of(
            "bcachefs",
            "btrfs",
            "erofs",
            "exfat",
            "ext2",
            "ext3",
            "ext4",
            "f2fs",
            "iso9660",
            "jfs",
            "msdos",
            "ntfs3",
            "overlay",
            "ramfs",
            "squashfs",
            "tmpfs",
            "vfat",
            "xfs",
            "zfs");

    static FileSystem of(Path file) {
        try {
            return new FileSystem(Files.getFileStore(file).type());
        } catch (IOException | SecurityException e) {
            return new FileSystem("unknown");
        }
    }

    /** Whether every read goes over a network or through a program, where large pieces in order are best. */
    boolean isRemote() {
        return !LOCAL.contains(type);
    }
}
