package dev.keelson.controller.event;

import dev.keelson.api.Names;
import java.time.Instant;
import java.util.UUID;

/**
 * The names of the Events of one recorder, and their namespaces (source: client-go's {@code
 * tools/record/util}). Belongs to one thread.
 */
final class EventNames {

  private static final long NANOS = 1_000_000_000;

  /** The number in the last name. */
  private long number;

  /**
   * The name of the object that the Event is about with a number, which is the time in nanoseconds
   * or the next after the last one; a random name if that is none of an Event, since objects of
   * some kinds have names that Events cannot have.
   */
  String next(ObjectReference about, Instant time) {
    number = Math.max(number + 1, time.getEpochSecond() * NANOS + time.getNano());
    String name = about.name() + "." + Long.toHexString(number);
    return Names.dnsSubdomain(name).isEmpty() ? name : UUID.randomUUID().toString();
  }

  /** Events about cluster-scoped objects are in {@code default}. */
  static String namespace(ObjectReference about) {
    return about.namespace().isEmpty() ? "default" : about.namespace();
  }
}
