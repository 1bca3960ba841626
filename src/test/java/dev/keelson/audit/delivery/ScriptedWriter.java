package dev.keelson.audit.delivery;

import dev.keelson.audit.EventWriter;
import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A writer that records batches, and can be held up or made to fail. */
final class ScriptedWriter implements EventWriter {

  private final List<List<String>> batches = new ArrayList<>();
  final CountDownLatch entered = new CountDownLatch(1);
  private @Nullable Semaphore gate;
  private volatile @Nullable String failure;
  private volatile boolean exhausted;
  private volatile boolean closed;

  /** Lets no write return before a permit is released. */
  Semaphore hold() {
    Semaphore held = new Semaphore(0);
    gate = held;
    return held;
  }

  void fail(@Nullable String message) {
    failure = message;
  }

  /** Lets writes fail for want of memory from here on, or no longer. */
  void exhaust(boolean exhausts) {
    exhausted = exhausts;
  }

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public void write(List<Event> events) throws IOException {
    entered.countDown();
    Semaphore held = gate;
    if (held != null) {
      try {
        held.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    if (exhausted) {
      throw new OutOfMemoryError("scripted");
    }
    String message = failure;
    if (message != null) {
      throw new IOException(message);
    }
    synchronized (batches) {
      batches.add(events.stream().map(event -> event.fields().request().auditId()).toList());
    }
  }

  List<List<String>> batches() {
    synchronized (batches) {
      return List.copyOf(batches);
    }
  }

  List<String> written() {
    return batches().stream().flatMap(List::stream).toList();
  }

  boolean closed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
