package dev.keelson.request;

/**
 * Is told what the connection does to a request whose handler has not ended. Called on an event
 * loop; must be fast.
 */
public interface Interruption {

  /** The deadline passed before there was an answer; the client gets 504. */
  void timedOut();

  /** The answer was cut while it was sent; may be called more than once. */
  void cut();
}
