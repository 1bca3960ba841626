package dev.keelson.registry;

import dev.keelson.object.ApiObject;

/**
 * An object with the values that were allocated to it before it is stored, such as addresses.
 * Exactly one of {@link #commit} and {@link #release} is called, unless the outcome of the write is
 * unknown: then neither is, and the background repair releases unused values.
 */
public interface Reservation {

  /** The object as it is to be stored. */
  ApiObject object();

  /** Call after the object was stored: releases values that it no longer uses. */
  void commit();

  /** Call after the object was not stored: releases the allocated values. */
  void release();

  /** A reservation without allocated values. */
  static Reservation none(ApiObject object) {
    return new None(object);
  }

  /** A reservation without allocated values. */
  record None(ApiObject object) implements Reservation {
    @Override
    public void commit() {}

    @Override
    public void release() {}
  }
}
