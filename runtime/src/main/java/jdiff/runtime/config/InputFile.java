package jdiff.runtime.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** Reads small text files of a model whole: regular files up to a limit, strict UTF-8. */
public final class InputFile {
    private InputFile() {}

    /**
     * The text of {@code file}.
     *
     * @throws FaultException NO_INPUT if it is missing or unreadable, BAD_INPUT if it is no regular file, above {@code limitBytes},
     *     a Git LFS pointer or not UTF-8, IO if reading fails
     */
    public static String text(Path file, long limitBytes) throws FaultException {
        byte[] bytes = bytes(file, limitBytes);
        LfsPointer.refuse(file, bytes.length, bytes, "the file itself");
        String text = Utf8.decode(bytes, bytes.length);
        if (text == null) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    file + ": not UTF-8 text: bad byte at offset " + Utf8.badByte(bytes, bytes.length));
        }
        return text;
    }

    /** Attributes of the file behind {@code file}, links followed; it must be a regular file, so that opening it cannot block. */
    public static BasicFileAttributes attributes(Path file) throws FaultException {
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(file, BasicFileAttributes.class);
        } catch (AccessDeniedException e) {
            throw new FaultException(Fault.NO_INPUT, file + ": no permission to read it", e);
        } catch (IOException e) {
            String why = Files.isSymbolicLink(file)
                    ? ": a link to a file that does not exist; download incomplete, or the link is broken"
                    : ": no such file";
            throw new FaultException(Fault.NO_INPUT, file + why, e);
        }
        if (!found.isRegularFile()) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    file + ": wanted a regular file, found " + (found.isDirectory() ? "a folder" : "something else"));
        }
        return found;
    }

    private static byte[] bytes(Path file, long limitBytes) throws FaultException {
        long size = attributes(file).size();
        byte[] bytes = {};
        if (size <= limitBytes) {
            try (InputStream in = Files.newInputStream(file)) {
                // One byte more than allowed: the file may have grown since it was looked at.
                bytes = in.readNBytes(Math.toIntExact(limitBytes + 1));
                size = bytes.length;
            } catch (AccessDeniedException e) {
                throw new FaultException(Fault.NO_INPUT, file + ": no permission to read it", e);
            } catch (IOException e) {
                throw new FaultException(Fault.IO, file + ": cannot be read: " + e.getMessage(), e);
            }
        }
        if (size > limitBytes) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    file + ": " + size + " bytes, above the limit of " + limitBytes + " for such a file");
        }
        return bytes;
    }
}
