package dev.keelson.registry.read;

import dev.keelson.registry.ReadVersion;

/**
 * A chunk of a list.
 *
 * @param version the state; ignored with a token
 * @param limit the most objects to return, or 0 for all
 * @param token the continue token of the previous chunk, or empty for the first
 * @param versioned whether the request names a resourceVersion beside the token, which is refused
 *     once the token has turned out to be one
 */
public record ListPage(ReadVersion version, long limit, String token, boolean versioned) {

  /** The whole list at the most recent state. */
  public static final ListPage WHOLE = new ListPage(ReadVersion.NEWEST, 0, "");

  /** A chunk that has a version or a token. */
  public ListPage(ReadVersion version, long limit, String token) {
    this(version, limit, token, /* versioned= */ false);
  }
}
