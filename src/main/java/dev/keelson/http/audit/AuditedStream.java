package dev.keelson.http.audit;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.request.Latencies;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/**
 * A body that is made while it is sent, with an end that is heard of.
 *
 * @param keeps whether what is sent is kept for the event
 * @param latencies gets what the client took to read it, and what making and sending it took
 * @param ended is given what was kept; nothing if it was more than {@link #MAX_KEPT}
 */
record AuditedStream(Body.Streamed body, boolean keeps, Latencies latencies, Consumer<byte[]> ended)
    implements Body.Streamed {

  /** Longer bodies are not kept, so that a list cannot fill the memory; bytes. */
  static final int MAX_KEPT = 16 * 1024 * 1024;

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    Kept kept = new Kept(sink);
    long begin = System.nanoTime();
    try {
      latencies.during(
          () -> {
            body.writeTo(new Timed(keeps ? kept : sink, latencies));
            return true;
          });
    } finally {
      latencies.add(Latencies.Layer.SERIALIZE, System.nanoTime() - begin);
      ended.accept(kept.bytes.toByteArray());
    }
  }

  private record Timed(Body.Sink sink, Latencies latencies) implements Body.Sink {
    @Override
    public void write(Payload part) throws InterruptedException {
      long begin = System.nanoTime();
      sink.write(part);
      latencies.add(Latencies.Layer.RESPONSE_WRITE, System.nanoTime() - begin);
    }
  }

  private static final class Kept implements Body.Sink {
    private final Body.Sink sink;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean tooLong;

    Kept(Body.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(Payload part) throws InterruptedException {
      sink.write(part);
      tooLong = tooLong || bytes.size() + part.length() > MAX_KEPT;
      if (tooLong) {
        bytes.reset();
      } else {
        for (Payload.Slice slice : part.slices()) {
          bytes.write(slice.array(), slice.offset(), slice.length());
        }
      }
    }
  }
}
