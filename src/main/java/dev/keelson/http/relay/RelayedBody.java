package dev.keelson.http.relay;

import dev.keelson.http.Body;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of a remote server's response. The event loop queues what the server sends, and pauses
 * it while the client does not take it; the request's thread writes it to the client.
 */
final class RelayedBody implements Body.Relayed {

  /** The server is paused above this number of queued bytes; it may send one buffer more. */
  private static final int MOST_QUEUED = 256 * 1024;

  private sealed interface Part {
    record Bytes(Buffer buffer) implements Part {}

    record Failed(Throwable cause) implements Part {}

    /** The end of the body. */
    record End() implements Part {}
  }

  private final HttpClientResponse response;
  private final Context context;
  private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
  private final AtomicInteger queued = new AtomicInteger();

  /** Whether the server is paused; confined to the event loop. */
  private boolean paused;

  /** Whether nothing more comes; confined to the event loop. */
  private boolean over;

  /** Begins to read; on the event loop, when the head of the response is there. */
  RelayedBody(HttpClientResponse response, Context context) {
    this.response = response;
    this.context = context;
    response.handler(this::add);
    response.exceptionHandler(e -> last(new Part.Failed(e)));
    response.endHandler(end -> last(new Part.End()));
  }

  private void add(Buffer buffer) {
    parts.add(new Part.Bytes(buffer));
    if (queued.addAndGet(buffer.length()) > MOST_QUEUED && !paused) {
      paused = true;
      response.pause();
    }
  }

  private void last(Part part) {
    if (!over) {
      over = true;
      parts.add(part);
    }
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    while (true) {
      switch (parts.take()) {
        case Part.Bytes bytes -> {
          sink.write(Body.Payload.of(bytes.buffer.getBytes()));
          if (queued.addAndGet(-bytes.buffer.length()) <= MOST_QUEUED / 2) {
            context.runOnContext(onLoop -> resume());
          }
        }
        case Part.Failed failed ->
            throw new IllegalStateException(
                "the remote server's response broke off: " + failed.cause.getMessage(),
                failed.cause);
        case Part.End _ -> {
          return;
        }
      }
    }
  }

  private void resume() {
    if (paused) {
      paused = false;
      response.resume();
    }
  }

  @Override
  public void abandon() {
    context.runOnContext(
        onLoop -> {
          if (!over) {
            boolean unused = response.request().reset();
            last(new Part.Failed(new Body.ClientGoneException()));
          }
        });
  }

  /** Ends the body here, whatever the server still has; on the event loop. */
  void finish() {
    if (!over) {
      last(new Part.End());
      boolean unused = response.request().reset();
    }
  }
}
