package dev.keelson.config.option;

import java.time.Duration;

/**
 * How the server stops.
 *
 * @param delay how long to continue serving while not ready
 * @param grace how long requests in flight may take to finish after that
 * @param watchGrace the time over which watches end after the delay; zero for at once
 * @param sendRetryAfter whether the server listens until the requests in flight have finished and
 *     answers further ones with 429, instead of accepting no more connections
 */
public record ShutdownOptions(
    Duration delay, Duration grace, Duration watchGrace, boolean sendRetryAfter) {

  /** How long to wait for requests in flight, watches among them. */
  public Duration longestGrace() {
    return watchGrace.compareTo(grace) > 0 ? watchGrace : grace;
  }
}
