package dev.keelson.audit.log;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.LegacyLine;

/** How an event becomes a line. */
public enum LogFormat {
  /** One JSON object a line. */
  JSON {
    @Override
    byte[] line(Event event) {
      return event.json();
    }
  },
  /** One line of text. */
  LEGACY {
    @Override
    byte[] line(Event event) {
      return LegacyLine.of(event);
    }
  };

  /** The line without its newline; the array may be shared. */
  abstract byte[] line(Event event);
}
