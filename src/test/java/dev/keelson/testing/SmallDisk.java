package dev.keelson.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system of a few pages over a directory, which really gets full. It is mounted in a
 * namespace that this process need not be root for: other processes see the directory as it was,
 * this one reaches the disk by {@link #path}, and programs are started on it by {@link #launcher}.
 * It is gone when the test ends, however that is.
 *
 * <p>Room is given in pages: a file whose last page is not full still grows to its end when {@link
 * #fill} has taken all others, so that a line which is longer is torn.
 */
public final class SmallDisk implements AutoCloseable {

  /** The unit of room; bytes. */
  public static final int PAGE = 4096;

  private static final String BALLAST = "ballast";
  private static final String MOUNTED = "mounted";
  private static final long LIMIT_SECONDS = 30;

  private final Process holder;
  private final Path directory;

  private SmallDisk(Process holder, Path directory) {
    this.holder = holder;
    this.directory = directory.toAbsolutePath();
  }

  /**
   * Mounts a disk; the test is skipped where namespaces are not allowed.
   *
   * @param directory an existing directory
   * @param kibibytes the room, a multiple of 4
   */
  public static SmallDisk mount(Path directory, int kibibytes) {
    String script =
        "mount -t tmpfs -o size=%dk,mode=755 tmpfs \"$1\" && echo %s && exec cat"
            .formatted(kibibytes, MOUNTED);
    try {
      // cat ends with this process, and the namespace with cat
      Process holder =
          new ProcessBuilder(
                  "unshare", "-rm", "sh", "-c", script, "sh", directory.toAbsolutePath().toString())
              .redirectErrorStream(true)
              .start();
      SmallDisk disk = new SmallDisk(holder, directory);
      BufferedReader lines = holder.inputReader(StandardCharsets.UTF_8);
      String line = lines.readLine();
      if (!MOUNTED.equals(line)) {
        disk.close();
        Assumptions.abort("a file system cannot be mounted in a namespace: " + line);
      }
      return disk;
    } catch (IOException e) {
      return Assumptions.abort("there is no program unshare: " + e.getMessage());
    }
  }

  /** The root of the disk, for this process. Not for programs that resolve symbolic links. */
  public Path path() {
    return Path.of("/proc", Long.toString(holder.pid()), "root").resolve(rootless());
  }

  private Path rootless() {
    return directory.getRoot().relativize(directory);
  }

  /** A command that executes another where the directory is the disk. */
  public List<String> launcher() {
    return List.of(
        "nsenter",
        "--target",
        Long.toString(holder.pid()),
        "--user",
        "--mount",
        "--preserve-credentials",
        "--");
  }

  /** Takes all room that is left, but for what the last pages of files have. */
  public void fill() {
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    try (FileChannel ballast =
        FileChannel.open(
            path().resolve(BALLAST),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      while (ballast.write(page.clear()) == PAGE) {
        // until the disk is full
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left on device")) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Gives the room back that {@link #fill} has taken. */
  public void free() {
    try {
      Files.delete(path().resolve(BALLAST));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    holder.destroy();
    try {
      if (!holder.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(holder + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
