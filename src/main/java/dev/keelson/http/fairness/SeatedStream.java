package dev.keelson.http.fairness;

import dev.keelson.flow.queue.TimeSource;
import dev.keelson.http.Body;
import java.time.Duration;

/**
 * A body that is made while it is sent, whose request keeps its seats meanwhile.
 *
 * <p>They are released before the end of one that takes longer than {@link #LONGEST}: its client
 * reads slowly, and clients that do not read at all could hold all seats otherwise.
 */
final class SeatedStream implements Body.Streamed {

  /** More than the server needs for the longest list. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private final Body.Streamed body;
  private final Seats seats;

  private SeatedStream(Body.Streamed body, Seats seats) {
    this.body = body;
    this.seats = seats;
  }

  /** Wraps a body, which is about to be sent. */
  static SeatedStream of(Body.Streamed body, Seats seats, TimeSource.Timer timer) {
    timer.after(LONGEST, seats::release);
    return new SeatedStream(body, seats);
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    try {
      body.writeTo(sink);
    } finally {
      seats.release();
    }
  }

  @Override
  public void abandon() {
    body.abandon();
    seats.release();
  }
}
