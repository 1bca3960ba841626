package dev.keelson.cel.type;

import dev.cel.common.types.CelType;

/** A value of a library that has a type of its own, such as a URL. */
public interface LibraryValue {

  /** Its type in expressions. */
  CelType celType();
}
