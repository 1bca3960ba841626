package dev.keelson.registry.read;

import dev.keelson.registry.ReadVersion;

/**
 * Which part of a list, of which state.
 *
 * @param version the state; ignored with a token
 * @param limit the most objects to return, or 0 for all
 * @param token what the part before gave, or empty for the first part
 */
public record ListPage(ReadVersion version, long limit, String token) {

  /** Everything, as it is now. */
  public static final ListPage WHOLE = new ListPage(ReadVersion.NEWEST, 0, "");
}
