package dev.keelson.audit.delivery;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.EventWriter;
import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The blocking modes on a writer of one thread: each request waits until its event is written, and
 * all events that wait are written together.
 */
public final class GroupCommitSink implements EventSink {

  /*
   * One thread writes. While it writes a group, requests collect in the next one, the open group;
   * so a group is as large as the load, and one alone is written at once. A request waits for its
   * group without regard to interrupts: its event is about something that has happened, and the
   * interrupt (the request's deadline) is still set when it returns.
   *
   * Lock: guards open and state. The writer is called without it.
   */

  /** So many requests wait in the open group at most; further ones wait to enter it. */
  private static final int MAX_GROUP = 4096;

  private final EventWriter writer;
  private final AuditMode mode;
  private final Losses losses;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition room = lock.newCondition();
  private Group open = new Group();
  private boolean stopping;
  private @Nullable Thread thread;

  /** Events that are written together. Filled under the lock, then owned by the writing thread. */
  private static final class Group {
    final List<Event> events = new ArrayList<>();
    final CountDownLatch done = new CountDownLatch(1);

    /** Set before {@link #done}; false however the writing thread fails. */
    boolean stored;
  }

  public GroupCommitSink(EventWriter writer, AuditMode mode, AuditMetrics metrics) {
    this.writer = writer;
    this.mode = mode;
    this.losses = new Losses(metrics, System::nanoTime);
  }

  @Override
  public Acceptance accept(Event event) {
    // encoded here, on many threads, and not on the one that writes
    event.json();
    Group group = enter(event);
    if (group == null) {
      losses.report(writer.name(), 1, "the server is shutting down");
      return failure();
    }
    awaitUninterruptibly(group.done);
    return group.stored ? Acceptance.ACCEPTED : failure();
  }

  private @Nullable Group enter(Event event) {
    lock.lock();
    try {
      while (open.events.size() >= MAX_GROUP && !stopping) {
        room.awaitUninterruptibly();
      }
      if (stopping) {
        return null;
      }
      open.events.add(event);
      if (open.events.size() == 1) {
        work.signal();
      }
      return open;
    } finally {
      lock.unlock();
    }
  }

  private Acceptance failure() {
    return mode == AuditMode.BLOCKING_STRICT ? Acceptance.REFUSED : Acceptance.ACCEPTED;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void start() {
    thread = Thread.ofPlatform().daemon().name("audit-" + writer.name()).start(this::run);
  }

  private void run() {
    for (Group group = next(); group != null; group = next()) {
      write(group);
    }
    writer.close();
  }

  private @Nullable Group next() {
    lock.lock();
    try {
      while (open.events.isEmpty() && !stopping) {
        work.awaitUninterruptibly();
      }
      if (open.events.isEmpty()) {
        return null;
      }
      Group group = open;
      open = new Group();
      room.signalAll();
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** How many requests wait in the open group. */
  int waiting() {
    lock.lock();
    try {
      return open.events.size();
    } finally {
      lock.unlock();
    }
  }

  private void write(Group group) {
    try {
      writer.write(group.events);
      group.stored = true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // without this thread every later request would wait for ever
      losses.report(writer.name(), group.events.size(), String.valueOf(e.getMessage()));
    } finally {
      group.done.countDown();
    }
  }

  @Override
  public void stop(Duration grace) {
    lock.lock();
    try {
      stopping = true;
      work.signalAll();
      room.signalAll();
    } finally {
      lock.unlock();
    }
    Thread running = thread;
    if (running == null) {
      writer.close();
      return;
    }
    try {
      running.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(grace.toNanos())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
