package dev.keelson.server.pki;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;

/** Writes files that others must not read, each one whole or not at all. */
public final class PrivateFiles {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Set<PosixFilePermission> OWNER_ONLY_DIRECTORY =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private PrivateFiles() {}

  /**
   * Makes {@code file} hold {@code text}, readable by its owner only. Who reads it meanwhile sees
   * the old text or the new one; the new one is on the disk when this returns.
   */
  static void write(Path file, String text) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      Files.createDirectories(directory, ownerOnlyDirectory());
      Path draft =
          Files.createTempFile(directory, "." + file.getFileName(), ".new", ownerOnly(OWNER_ONLY));
      try {
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
          ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new PkiException("cannot write " + file + ": " + reason(e), e);
    }
  }

  /** The attributes of a new directory that only its owner may look into. */
  public static FileAttribute<?>[] ownerOnlyDirectory() {
    return ownerOnly(OWNER_ONLY_DIRECTORY);
  }

  /** Runs {@code work} while no other process that asks for the same directory does. */
  static <T> T locked(Path directory, Supplier<T> work) {
    Path file = directory.resolve(".lock");
    try {
      Files.createDirectories(directory, ownerOnlyDirectory());
      // two servers in one process ask the same file system object, which must not see an overlap
      synchronized (PrivateFiles.class) {
        try (FileChannel channel =
                FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    ownerOnly(OWNER_ONLY));
            FileLock _ = channel.lock()) {
          return work.get();
        }
      }
    } catch (IOException e) {
      throw new PkiException("cannot use the directory " + directory + ": " + reason(e), e);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Set<PosixFilePermission> permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  /** The error with its kind, since the message of many is the bare file name. */
  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
