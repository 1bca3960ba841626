package dev.keelson.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The wall clock of a process, which can be set while it runs: by a small library that is loaded
 * before the C library and that a C compiler makes from {@code chaos/clock.c}.
 */
public final class WallClock {

  private final Path library;
  private final Path file;
  private final MappedByteBuffer offset;

  private WallClock(Path library, Path file, MappedByteBuffer offset) {
    this.library = library;
    this.file = file;
    this.offset = offset;
  }

  /**
   * Creates a clock that is right.
   *
   * @param directory for the library and the file with the offset
   * @return empty without a C compiler or on another system than Linux
   */
  public static Optional<WallClock> create(Path directory) {
    Path library = directory.resolve("clock.so");
    Path file = directory.resolve("clock");
    try {
      Files.createDirectories(directory);
      Files.write(file, new byte[Long.BYTES]);
      if (!System.getProperty("os.name").equals("Linux") || !compile(library)) {
        return Optional.empty();
      }
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        MappedByteBuffer offset = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        offset.order(ByteOrder.nativeOrder());
        return Optional.of(new WallClock(library, file, offset));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean compile(Path library) throws IOException {
    Path source = Path.of("src", "test", "resources", "chaos", "clock.c");
    ProcessBuilder compiler =
        new ProcessBuilder(
                "gcc",
                "-shared",
                "-fPIC",
                "-O2",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl")
            .redirectErrorStream(true);
    Process process;
    try {
      process = compiler.start();
    } catch (IOException e) {
      // there is no compiler
      return false;
    }
    try {
      String errors = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("clock.c does not compile: " + errors);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while clock.c was compiled", e);
    }
  }

  /** The program that starts a process with this clock. */
  public List<String> launcher() {
    return List.of(
        "env",
        "LD_PRELOAD=" + library.toAbsolutePath(),
        "WALL_CLOCK_OFFSET=" + file.toAbsolutePath());
  }

  /** Sets the clock off by {@code time} from now on. */
  public void shift(Duration time) {
    offset.putLong(0, time.toNanos());
  }
}
