package dev.keelson.audit.webhook;

import java.io.IOException;

/** The connection to an audit webhook. Safe for use by any thread; blocks; ends on interrupt. */
@FunctionalInterface
public interface EventPost {

  /**
   * Posts an EventList.
   *
   * @param json the list in UTF-8
   * @throws IOException if the webhook did not take it
   */
  void post(byte[] json) throws IOException;
}
