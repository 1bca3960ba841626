package dev.keelson.audit.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A file that is renamed and begun again before it gets too large, with the names of the rotation
 * that kube-apiserver uses: {@code audit-2006-01-02T15-04-05.000.log}, in UTC, and {@code .gz}
 * after it when compressed.
 */
public final class RotatingFile implements LogTarget {

  /*
   * One thread writes. A write that fails midway (full disk) is cut off again, so that the file
   * never holds half a line once there is room. The file is opened again when its path no longer
   * names it (moved by logrotate, deleted with its directory), looked at once a second, or when
   * reopen() asks for it (SIGHUP). A file that ends within a line, since its process was killed or
   * the cut failed, gets a newline together with the next line, so that no event is joined to it.
   * Another program may truncate the file (logrotate's copytruncate): its size is read again with
   * each look, and before it is rotated. An event larger than the limit gets a file of its own.
   */

  private static final Logger LOG = Logger.getLogger(RotatingFile.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /**
   * Lines are written together up to about this size, so that large events are not copied twice.
   */
  private static final int CHUNK = 1024 * 1024;

  private static final Set<OpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  private final LogFileOptions options;
  private final InstantSource clock;
  private final Backups backups;

  private @Nullable FileChannel file;
  private @Nullable Object fileKey;
  private long size;

  /** Whether the file ends within a line. */
  private boolean torn;

  private Instant looked = Instant.MIN;
  private volatile boolean reopen;

  public RotatingFile(LogFileOptions options, InstantSource clock) {
    this.options = options;
    this.clock = clock;
    this.backups = new Backups(options, clock);
  }

  /**
   * Opens the file, so that a path that cannot be written is found at the start.
   *
   * @throws IOException if it cannot be opened
   */
  public void open() throws IOException {
    opened();
    backups.tidy();
  }

  @Override
  public void reopen() {
    reopen = true;
  }

  @Override
  public void write(List<byte[]> lines) throws IOException {
    followPath();
    opened();
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      if (chunk.size() >= CHUNK) {
        append(chunk);
      }
      if (isTooLarge(chunk.size(), line)) {
        append(chunk);
        size = opened().size();
        if (isTooLarge(0, line)) {
          rotate();
        }
      }
      chunk.write(line);
      chunk.write('\n');
    }
    append(chunk);
  }

  /** Whether the file would exceed its limit by a line behind so many bytes. */
  private boolean isTooLarge(long pending, byte[] line) {
    long before = size + pending;
    return before > 0 && before + line.length + 1 > options.maxBytes();
  }

  private void append(ByteArrayOutputStream chunk) throws IOException {
    if (chunk.size() == 0) {
      return;
    }
    FileChannel channel = opened();
    ByteBuffer bytes = ByteBuffer.allocate(chunk.size() + 1);
    if (torn) {
      bytes.put((byte) '\n');
    }
    bytes.put(chunk.toByteArray()).flip();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      cutOff(channel, bytes.position(), e);
      close();
      throw e;
    }
    torn = false;
    size += bytes.limit();
    chunk.reset();
  }

  /**
   * Removes the begin of what could not be written as a whole.
   *
   * @param written its length; bytes
   */
  private static void cutOff(FileChannel channel, int written, IOException why) {
    if (written == 0) {
      return;
    }
    try {
      channel.truncate(Math.max(0, channel.size() - written));
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private FileChannel opened() throws IOException {
    FileChannel channel = file;
    if (channel == null) {
      Path directory = options.path().toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      channel =
          FileChannel.open(
              options.path(),
              APPENDING,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      file = channel;
      try {
        size = channel.size();
        torn = endsWithinLine(size);
      } catch (IOException e) {
        close();
        throw e;
      }
      fileKey = key();
      reopen = false;
      looked = clock.instant();
    }
    return channel;
  }

  private boolean endsWithinLine(long end) throws IOException {
    if (end == 0 || !Files.isReadable(options.path())) {
      return false;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    try (FileChannel reading = FileChannel.open(options.path(), StandardOpenOption.READ)) {
      return reading.read(last, end - 1) == 1 && last.get(0) != '\n';
    }
  }

  private void followPath() throws IOException {
    FileChannel channel = file;
    if (channel == null) {
      return;
    }
    if (!reopen) {
      Instant now = clock.instant();
      // the clock may have been set back
      if (Duration.between(looked, now).abs().compareTo(LOOK) < 0) {
        return;
      }
      looked = now;
      if (Objects.equals(key(), fileKey)) {
        size = channel.size();
        return;
      }
    }
    close();
    LOG.infof("event=audit-log-reopened path=%s", options.path());
  }

  /** What tells the file that the path names from others; null if there is none. */
  private @Nullable Object key() {
    try {
      return Files.readAttributes(options.path(), BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      // missing or out of reach: opening it tells why
      return null;
    }
  }

  private void rotate() throws IOException {
    close();
    backups.add();
    opened();
    backups.tidy();
  }

  @Override
  public void close() {
    FileChannel channel = file;
    file = null;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.warnf("event=audit-log-close-failed path=%s error=%s", options.path(), e.getMessage());
      }
    }
  }
}
