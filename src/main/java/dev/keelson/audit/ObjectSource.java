package dev.keelson.audit;

import dev.keelson.audit.event.ObjectIdentity;

/**
 * The body of a request or response, in whatever encoding it has. Asked only for what the level of
 * the request needs.
 */
public interface ObjectSource {

  /** The body as JSON in UTF-8; empty if there is none, or it is malformed. */
  byte[] json();

  /** The identity in the metadata of the object. */
  ObjectIdentity identity();
}
