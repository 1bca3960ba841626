package dev.keelson.audit.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
   * One thread writes. It remembers the size of the file; a write that fails midway (full disk) is
   * cut off again at that size, so that the file never holds half a line once there is room. The
   * file is opened again when its path no longer names it (moved by logrotate, deleted), looked at
   * once a second, or when reopen() asks for it (SIGHUP). What a killed process has left without a
   * newline gets one, so that no event is joined to it. An event larger than the limit gets a
   * file of its own.
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
  private Instant lookAgain = Instant.MIN;
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
      long before = size + chunk.size();
      if (before > 0 && before + line.length + 1 > options.maxBytes()) {
        append(chunk);
        rotate();
      }
      chunk.write(line);
      chunk.write('\n');
    }
    append(chunk);
  }

  private void append(ByteArrayOutputStream chunk) throws IOException {
    if (chunk.size() == 0) {
      return;
    }
    FileChannel channel = opened();
    ByteBuffer bytes = ByteBuffer.wrap(chunk.toByteArray());
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      cutOff(channel, e);
      close();
      throw e;
    }
    size += chunk.size();
    chunk.reset();
  }

  /** Removes the begin of what could not be written as a whole. */
  private void cutOff(FileChannel channel, IOException why) {
    try {
      if (channel.size() > size) {
        channel.truncate(size);
      }
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
      endLine(channel);
      size = channel.size();
      fileKey = key();
      reopen = false;
      lookAgain = clock.instant().plus(LOOK);
    }
    return channel;
  }

  /** Ends the line that a killed process has begun. */
  private void endLine(FileChannel channel) throws IOException {
    long end = channel.size();
    if (end == 0 || !Files.isReadable(options.path())) {
      return;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    try (FileChannel reading = FileChannel.open(options.path(), StandardOpenOption.READ)) {
      reading.read(last, end - 1);
    }
    if (last.get(0) != '\n') {
      channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
  }

  private void followPath() throws IOException {
    if (file == null) {
      return;
    }
    if (!reopen) {
      Instant now = clock.instant();
      if (now.isBefore(lookAgain)) {
        return;
      }
      lookAgain = now.plus(LOOK);
      if (Objects.equals(key(), fileKey)) {
        return;
      }
    }
    close();
    LOG.infof("event=audit-log-reopened path=%s", options.path());
  }

  /** What tells the file that the path names from others; null if there is none. */
  private @Nullable Object key() throws IOException {
    try {
      return Files.readAttributes(options.path(), BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
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
