package dev.keelson.http.audit;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.request.Latencies;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A body that is made while it is sent, with an end that is reported. */
final class AuditedStream implements Body.Streamed {

  /** Longer bodies are not kept, so that a list cannot fill the memory; bytes. */
  static final int MAX_KEPT = 16 * 1024 * 1024;

  private final Body.Streamed body;
  private final boolean keeps;
  private final Latencies latencies;
  private final Consumer<byte[]> written;
  private final BodyEnd end;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * @param keeps whether what is sent is kept for the event
   * @param latencies gets what the client took to read it, and what making and sending it took
   * @param written is given what was kept of a body that a client has taken, before its end is
   *     reported; nothing if it was more than {@link #MAX_KEPT}
   */
  AuditedStream(
      Body.Streamed body,
      boolean keeps,
      Latencies latencies,
      Consumer<byte[]> written,
      BodyEnd end) {
    this.body = body;
    this.keeps = keeps;
    this.latencies = latencies;
    this.written = written;
    this.end = end;
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    begun.set(true);
    Kept kept = new Kept(sink);
    long begin = System.nanoTime();
    try {
      latencies.during(
          () -> {
            body.writeTo(new Timed(keeps ? kept : sink, latencies));
            return true;
          });
    } catch (Body.ClientGoneException e) {
      // what was sent until then is in the event
      throw e;
    } catch (RuntimeException | Error e) {
      end.broke(e);
      throw e;
    } finally {
      latencies.add(Latencies.Layer.SERIALIZE, System.nanoTime() - begin);
      if (keeps) {
        written.accept(kept.bytes.toByteArray());
      }
      end.completed();
    }
  }

  @Override
  public void abandon() {
    body.abandon();
    if (begun.compareAndSet(false, true)) {
      end.completedOnLoop();
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
