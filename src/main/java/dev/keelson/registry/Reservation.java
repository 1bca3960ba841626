package dev.keelson.registry;

import dev.keelson.object.ApiObject;

/**
 * An object with what the server allocated to it before it is stored, such as addresses. Exactly
 * one of {@link #commit} and {@link #release} is called, unless the outcome of the write is
 * unknown: then neither is, and the background repair releases what is unused.
 */
public interface Reservation {

  /** The object as it is to be stored. */
  ApiObject object();

  /** The object was stored: gives back what it no longer uses. */
  void commit();

  /** The object was not stored: gives back what was allocated. */
  void release();

  /** An object that nothing is allocated to. */
  static Reservation none(ApiObject object) {
    return new None(object);
  }

  /** Nothing is allocated. */
  record None(ApiObject object) implements Reservation {
    @Override
    public void commit() {}

    @Override
    public void release() {}
  }
}
