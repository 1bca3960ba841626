package dev.keelson.audit.trail;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A queue of events on disk, of bounded size, between the requests and the database. Any thread
 * appends, one takes. A written event has reached the operating system and survives the end of the
 * process; it is not flushed to the disk.
 */
public final class Spool implements AutoCloseable {

  /*
   * Segments are numbered files. Events are appended to the last and taken from the first, which is
   * deleted when all of it is confirmed. What was taken is not noted on disk: after a restart the
   * first segment is sent again from its begin, and the store skips what it has. Every start opens a
   * new segment, so that a frame that a killed process has torn is the last of its file. Damage is
   * skipped and counted when the events behind it are confirmed, since they may be taken again.
   *
   * Lock: guards all fields.
   */

  private static final Logger LOG = Logger.getLogger(Spool.class);
  private static final String SUFFIX = ".spool";

  /** Of the number in the name of a segment. */
  private static final int DIGITS = 16;

  private static final Pattern NAME = Pattern.compile("[0-7][0-9a-f]{15}\\.spool");

  /** A segment ends at this size, or at an eighth of the spool. */
  private static final long SEGMENT_BYTES = 8L << 20;

  private static final int LEAST_SEGMENTS = 8;

  /** What is read and not yet confirmed by the reader ends with the events of so many bytes. */
  private static final long TAKEN_BYTES = 4L << 20;

  private final Path directory;
  private final long maxBytes;
  private final long segmentBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<SpoolSegment> segments = new ArrayDeque<>();
  private long nextNumber;
  private long bytes;
  private boolean closed;

  /** Where the last {@link #take} has ended in the first segment, and what it has skipped. */
  private long taken;

  private int skipped;

  /** Damaged records that are not reported yet. */
  private int damaged;

  private Spool(Path directory, long maxBytes) {
    this.directory = directory;
    this.maxBytes = maxBytes;
    this.segmentBytes = Math.min(SEGMENT_BYTES, Math.max(1, maxBytes / LEAST_SEGMENTS));
  }

  /**
   * Opens a directory, which is made if it is missing, with what an earlier process has left.
   *
   * @param maxBytes the most that the files take together
   */
  public static Spool open(Path directory, long maxBytes) throws IOException {
    Spool spool = new Spool(directory, maxBytes);
    spool.makeDirectory();
    spool.load();
    return spool;
  }

  private void makeDirectory() throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private void load() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : found) {
        if (NAME.matcher(file.getFileName().toString()).matches()) {
          files.add(file);
        } else {
          LOG.warnf("event=audit-trail-spool-foreign file=%s", file);
        }
      }
    }
    files.sort(null);
    for (Path file : files) {
      SpoolSegment segment = SpoolSegment.open(file);
      segments.add(segment);
      bytes += segment.size();
      String number = file.getFileName().toString().substring(0, DIGITS);
      nextNumber = Math.max(nextNumber, Long.parseLong(number, 16) + 1);
    }
    if (bytes > 0) {
      LOG.infof("event=audit-trail-spool-found files=%d bytes=%d", files.size(), bytes);
    }
    newSegment();
  }

  private SpoolSegment newSegment() throws IOException {
    // somebody may have removed it
    makeDirectory();
    Path file = directory.resolve("%016x%s".formatted(nextNumber, SUFFIX));
    SpoolSegment segment = SpoolSegment.create(file);
    nextNumber++;
    segments.add(segment);
    return segment;
  }

  /**
   * Appends events, all or none.
   *
   * @throws IOException if the spool is full or its files cannot be written
   */
  public void append(List<TrailEvent> events) throws IOException {
    List<byte[]> records = new ArrayList<>(events.size());
    for (TrailEvent event : events) {
      records.add(SpoolRecord.encode(event));
    }
    long size = SpoolSegment.sizeOf(records);
    lock.lock();
    try {
      if (closed) {
        throw new IOException("the spool of the audit trail is closed");
      }
      if (bytes + size > maxBytes) {
        throw new IOException("the spool of the audit trail is full: " + bytes + " bytes");
      }
      SpoolSegment last = segments.isEmpty() ? newSegment() : segments.getLast();
      if (last.size() >= segmentBytes) {
        last = newSegment();
      }
      last.append(records);
      bytes += size;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the oldest events without removing them, the same until they are {@link #confirm}ed.
   *
   * @param most the most events
   * @return empty if there are none
   */
  List<TrailEvent> take(int most) throws IOException {
    lock.lock();
    try {
      while (!closed && !segments.isEmpty()) {
        SpoolSegment first = segments.getFirst();
        long begin = first.position();
        List<TrailEvent> events;
        try {
          events = read(first, most);
        } catch (IOException e) {
          first.rewind(begin);
          throw e;
        }
        if (!events.isEmpty()) {
          taken = first.position();
          first.rewind(begin);
          return events;
        }
        countSkipped(first);
        if (segments.size() == 1 && first.size() < segmentBytes) {
          return List.of();
        }
        drop(first);
      }
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  /** Reads events, and counts in {@link #skipped} what is none. */
  private List<TrailEvent> read(SpoolSegment segment, int most) throws IOException {
    List<TrailEvent> events = new ArrayList<>();
    skipped = 0;
    long begin = segment.position();
    while (events.size() < most && segment.position() - begin < TAKEN_BYTES) {
      byte[] next = segment.next();
      if (next == null) {
        break;
      }
      try {
        events.add(SpoolRecord.decode(next));
      } catch (IOException e) {
        LOG.warnf("event=audit-trail-spool-unreadable file=%s error=%s", segment, e.getMessage());
        skipped++;
      }
    }
    skipped += segment.damaged();
    return events;
  }

  private void countSkipped(SpoolSegment segment) {
    if (skipped > 0) {
      LOG.warnf("event=audit-trail-spool-damaged file=%s count=%d", segment, skipped);
      damaged += skipped;
      skipped = 0;
    }
  }

  private void drop(SpoolSegment segment) throws IOException {
    segments.remove(segment);
    bytes -= segment.size();
    segment.delete();
  }

  /** Removes what the last {@link #take} has returned. */
  void confirm() {
    lock.lock();
    try {
      if (!segments.isEmpty()) {
        SpoolSegment first = segments.getFirst();
        first.rewind(taken);
        countSkipped(first);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many damaged stretches of the files were passed since the last call of this method. */
  int damaged() {
    lock.lock();
    try {
      int count = damaged;
      damaged = 0;
      return count;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there may be something to take.
   *
   * @return false if the time has passed
   */
  boolean await(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (isEmpty() && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      return !isEmpty() || closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean isEmpty() {
    return segments.stream().allMatch(SpoolSegment::isRead);
  }

  /** Whether everything has been confirmed. */
  public boolean isDrained() {
    lock.lock();
    try {
      return isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The size of the files; bytes. */
  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the files, and deletes them if everything has been confirmed. May be called twice. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signalAll();
      @Nullable IOException failure = null;
      for (SpoolSegment segment : segments) {
        try {
          if (segment.isRead()) {
            segment.delete();
          } else {
            segment.close();
          }
        } catch (IOException e) {
          failure = e;
        }
      }
      if (failure != null) {
        LOG.warnf("event=audit-trail-spool-close error=%s", failure.getMessage());
      }
    } finally {
      lock.unlock();
    }
  }
}
