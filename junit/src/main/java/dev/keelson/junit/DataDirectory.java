package dev.keelson.junit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The data directory of a server: in memory ({@code /dev/shm}) where the system has that, else in
 * the directory for temporary files; the system property {@code keelson.junit.directory} names
 * another place. A lock beside it shows that its JVM lives: what a killed JVM has left is removed
 * by the next one, since files in memory would stay until the machine is restarted.
 */
final class DataDirectory implements AutoCloseable {

  private static final String NAME = "keelson-junit-";
  private static final String LOCK = ".lock";
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Containers have 64 MiB unless told otherwise: too little for many servers. */
  private static final long LEAST_BYTES = 256L << 20;

  private static boolean swept;

  private final Path path;
  private final Path lockFile;
  private final FileChannel channel;

  private DataDirectory(Path path, Path lockFile, FileChannel channel) {
    this.path = path;
    this.lockFile = lockFile;
    this.channel = channel;
  }

  /** Makes an empty one. */
  static DataDirectory create() throws IOException {
    return create(base());
  }

  static DataDirectory create(Path base) throws IOException {
    synchronized (DataDirectory.class) {
      if (!swept) {
        swept = true;
        sweep(base);
      }
    }
    while (true) {
      String name = NAME + UUID.randomUUID();
      Path lockFile = base.resolve(name + LOCK);
      FileChannel channel =
          FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      // null: another JVM, which removes what is left, was between the two
      if (lock != null) {
        // the server makes it, accessible to its owner only
        return new DataDirectory(base.resolve(name), lockFile, channel);
      }
      channel.close();
    }
  }

  private static Path base() throws IOException {
    String named = System.getProperty("keelson.junit.directory");
    if (named != null) {
      return Files.createDirectories(Path.of(named));
    }
    if (Files.isDirectory(MEMORY)
        && Files.isWritable(MEMORY)
        && Files.getFileStore(MEMORY).getUsableSpace() >= LEAST_BYTES) {
      return MEMORY;
    }
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Removes what JVMs that are gone have left. */
  static void sweep(Path base) throws IOException {
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(base, NAME + "*" + LOCK)) {
      for (Path lockFile : locks) {
        if (Files.isWritable(lockFile)) {
          removeUnlocked(lockFile);
        }
      }
    }
  }

  private static void removeUnlocked(Path lockFile) throws IOException {
    String file = lockFile.getFileName().toString();
    Path directory = lockFile.resolveSibling(file.substring(0, file.length() - LOCK.length()));
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        ServerLoader.delete(directory);
        Files.deleteIfExists(lockFile);
      }
    } catch (OverlappingFileLockException | java.nio.file.NoSuchFileException e) {
      // of this JVM, or removed by another one at this moment
      return;
    }
  }

  Path path() {
    return path;
  }

  /** Copies the files of another data directory, which no server uses. */
  void copyOf(Path other) throws IOException {
    try (Stream<Path> all = Files.walk(other)) {
      for (Path file : all.toList()) {
        // parents come first; permissions are part of what a private key needs
        Files.copy(
            file,
            path.resolve(other.relativize(file).toString()),
            java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Override
  public void close() throws IOException {
    ServerLoader.delete(path);
    Files.deleteIfExists(lockFile);
    channel.close();
  }
}
