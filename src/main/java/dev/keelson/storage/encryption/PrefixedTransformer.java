package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;

/**
 * A transformer of values with a prefix, which it does not see itself.
 *
 * @param prefix the prefix; empty for values without one
 */
public record PrefixedTransformer(Bytes prefix, Transformer transformer) {

  /** A transformer of values with the prefix {@code prefix}. */
  public static PrefixedTransformer of(String prefix, Transformer transformer) {
    return new PrefixedTransformer(Bytes.utf8(prefix), transformer);
  }
}
