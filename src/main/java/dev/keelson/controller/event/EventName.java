package dev.keelson.controller.event;

import dev.keelson.api.Names;
import java.util.UUID;

/** Names of Events (source: client-go's {@code tools/record/util}). */
final class EventName {

  private EventName() {}

  /**
   * The name of the object that the Event is about with a number, which is that of nobody else's
   * Event; a random one if that is no name of an Event, since objects of some kinds have names that
   * Events cannot have.
   */
  static String of(ObjectReference about, long number) {
    String name = about.name() + "." + Long.toHexString(number);
    return Names.dnsSubdomain(name).isEmpty() ? name : UUID.randomUUID().toString();
  }
}
