package dev.keelson.audit.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPOutputStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The rotated files beside a log file. */
final class Backups {

  private static final Logger LOG = Logger.getLogger(Backups.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss.SSS", Locale.ROOT);
  private static final String GZIP = ".gz";

  private final LogFileOptions options;
  private final InstantSource clock;
  private final Path directory;
  private final String prefix;
  private final String suffix;

  /** Held while files are compressed and deleted. */
  private final ReentrantLock tidying = new ReentrantLock();

  /** A rotated file, newest first in lists. */
  private record Backup(Path file, Instant time, boolean compressed) {}

  Backups(LogFileOptions options, InstantSource clock) {
    this.options = options;
    this.clock = clock;
    Path path = options.path().toAbsolutePath();
    Path parent = path.getParent();
    this.directory = parent == null ? path : parent;
    String name = String.valueOf(path.getFileName());
    int dot = name.lastIndexOf('.');
    this.prefix = (dot < 0 ? name : name.substring(0, dot)) + "-";
    this.suffix = dot < 0 ? "" : name.substring(dot);
  }

  /** Renames the log file, if there is one, to the name for this moment. */
  void add() throws IOException {
    if (!Files.exists(options.path())) {
      return;
    }
    Instant time = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Path backup = name(time);
    while (Files.exists(backup) || Files.exists(directory.resolve(backup.getFileName() + GZIP))) {
      time = time.plusMillis(1);
      backup = name(time);
    }
    Files.move(options.path(), backup);
  }

  private Path name(Instant time) {
    return directory.resolve(
        prefix + TIME.format(LocalDateTime.ofInstant(time, ZoneOffset.UTC)) + suffix);
  }

  /** Compresses and deletes rotated files as the options say, on a thread of its own. */
  void tidy() {
    if (options.maxAgeDays() > 0 || options.maxBackups() > 0 || options.compress()) {
      Thread.ofVirtual().name("audit-log-files").start(this::tidyNow);
    }
  }

  private void tidyNow() {
    tidying.lock();
    try {
      List<Backup> kept = new ArrayList<>();
      Instant oldest = clock.instant().minus(Duration.ofDays(options.maxAgeDays()));
      for (Backup backup : found()) {
        boolean tooMany = options.maxBackups() > 0 && kept.size() >= options.maxBackups();
        boolean tooOld = options.maxAgeDays() > 0 && backup.time().isBefore(oldest);
        if (tooMany || tooOld) {
          Files.deleteIfExists(backup.file());
        } else {
          kept.add(backup);
        }
      }
      if (options.compress()) {
        for (Backup backup : kept) {
          if (!backup.compressed()) {
            compress(backup.file());
          }
        }
      }
    } catch (IOException e) {
      LOG.warnf("event=audit-log-rotation path=%s error=%s", options.path(), e);
    } finally {
      tidying.unlock();
    }
  }

  private List<Backup> found() throws IOException {
    List<Backup> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Backup backup = backup(file);
        if (backup != null) {
          found.add(backup);
        }
      }
    }
    found.sort(Comparator.comparing(Backup::time).reversed());
    return found;
  }

  private @Nullable Backup backup(Path file) {
    String name = String.valueOf(file.getFileName());
    boolean compressed = name.endsWith(GZIP);
    String plain = compressed ? name.substring(0, name.length() - GZIP.length()) : name;
    if (!plain.startsWith(prefix)
        || !plain.endsWith(suffix)
        || plain.length() < prefix.length() + suffix.length()) {
      return null;
    }
    String time = plain.substring(prefix.length(), plain.length() - suffix.length());
    try {
      return new Backup(
          file, LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC), compressed);
    } catch (DateTimeException e) {
      // some other file whose name begins alike
      return null;
    }
  }

  private void compress(Path file) throws IOException {
    Path unfinished = directory.resolve(file.getFileName() + GZIP + ".tmp");
    Files.deleteIfExists(unfinished);
    Files.createFile(
        unfinished,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (InputStream in = Files.newInputStream(file);
        OutputStream out =
            new GZIPOutputStream(
                Files.newOutputStream(unfinished, StandardOpenOption.TRUNCATE_EXISTING))) {
      in.transferTo(out);
    } catch (IOException e) {
      // on a full disk it would take the room that the log needs
      delete(unfinished, e);
      throw e;
    }
    Files.move(
        unfinished,
        directory.resolve(file.getFileName() + GZIP),
        StandardCopyOption.REPLACE_EXISTING);
    Files.delete(file);
  }

  private static void delete(Path unfinished, IOException why) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }
}
