package dev.keelson.client.remote;

import dev.keelson.client.rest.ApiTransport.EventStream;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events of a watch: lines of a response. The event loop adds what arrives, and stops reading
 * from the connection when the reader is behind, which slows the server down.
 */
final class WatchStream implements EventStream {

  /** More unread bytes than this stop the reading, less than half of it continue it. */
  private static final int MOST_UNREAD = 256 * 1024;

  private static final byte[] NOTHING = {};

  private final HttpClientResponse response;
  private final Context context;

  /** Guards the fields up to {@code failure}. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();
  private final Queue<byte[]> parts = new ArrayDeque<>();
  private int unread;
  private boolean paused;
  private boolean ended;
  private @Nullable Throwable failure;

  /** The part that is read, and how far. Confined to the reader. */
  private byte[] part = NOTHING;

  private int position;

  /** The beginning of a line whose end has not arrived. Confined to the reader. */
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  private WatchStream(HttpClientResponse response, Context context) {
    this.response = response;
    this.context = context;
  }

  /**
   * The events of a response.
   *
   * @param context the event loop of the response, which calls this
   */
  static WatchStream of(HttpClientResponse response, Context context) {
    WatchStream stream = new WatchStream(response, context);
    response
        .handler(stream::received)
        .endHandler(end -> stream.end(null))
        .exceptionHandler(stream::end);
    return stream;
  }

  private void received(Buffer bytes) {
    lock.lock();
    try {
      parts.add(bytes.getBytes());
      unread += bytes.length();
      if (unread > MOST_UNREAD && !paused) {
        paused = true;
        HttpClientResponse same = response.pause();
        assert same == response;
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      if (!ended) {
        ended = true;
        failure = cause;
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public byte @Nullable [] next() throws IOException, InterruptedException {
    while (true) {
      int end = position;
      while (end < part.length && part[end] != '\n') {
        end++;
      }
      line.write(part, position, end - position);
      if (end < part.length) {
        position = end + 1;
        byte[] event = line.toByteArray();
        line.reset();
        if (event.length > 0) {
          return event;
        }
      } else {
        byte[] more = take();
        if (more == null) {
          return null;
        }
        part = more;
        position = 0;
      }
    }
  }

  /** Waits for bytes; null at the end. */
  private byte @Nullable [] take() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (parts.isEmpty() && !ended) {
        changed.await();
      }
      byte[] first = parts.poll();
      if (first == null) {
        Throwable cause = failure;
        if (cause != null) {
          throw Failures.of(cause);
        }
        return null;
      }
      unread -= first.length;
      if (paused && unread < MOST_UNREAD / 2) {
        paused = false;
        context.runOnContext(ready -> response.resume());
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      boolean over = ended;
      ended = true;
      parts.clear();
      changed.signal();
      if (!over) {
        context.runOnContext(
            now -> {
              boolean unused = response.request().reset();
            });
      }
    } finally {
      lock.unlock();
    }
  }
}
