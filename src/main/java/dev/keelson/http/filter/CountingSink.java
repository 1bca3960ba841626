package dev.keelson.http.filter;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;

/** Counts the bytes of a body; used by one thread. */
final class CountingSink implements Body.Sink {

  private final Body.Sink sink;
  private long bytes;

  CountingSink(Body.Sink sink) {
    this.sink = sink;
  }

  @Override
  public void write(Payload part) throws InterruptedException {
    sink.write(part);
    bytes += part.length();
  }

  long bytes() {
    return bytes;
  }
}
