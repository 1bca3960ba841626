package dev.keelson.registry;

import dev.keelson.object.ApiObject;

/**
 * An object with what the server allotted to it before it is stored, such as addresses. Exactly one
 * of {@link #keep} and {@link #giveBack} is called, unless nobody can tell whether the object was
 * stored: then neither, and the repair in the background finds out.
 */
public interface Reservation {

  /** The object as it is to be stored. */
  ApiObject object();

  /** The object was stored: gives back what it no longer uses. */
  void keep();

  /** The object was not stored: gives back what was allotted. */
  void giveBack();

  /** An object that nothing is allotted to. */
  static Reservation none(ApiObject object) {
    return new None(object);
  }

  /** Nothing is allotted. */
  record None(ApiObject object) implements Reservation {
    @Override
    public void keep() {}

    @Override
    public void giveBack() {}
  }
}
