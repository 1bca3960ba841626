package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An index over the objects and watchers of a type by the value of a label or field. Two indexes of
 * one type are the same if they have the same name.
 */
public final class Index {

  /** The prefix of the names of indexes by a label. */
  public static final String LABEL = "label ";

  private final String name;
  private final Function<Bytes, @Nullable String> reader;

  /**
   * @param name the unique name of the index
   * @param reader returns the value of a stored object; null or empty if it has none
   */
  public Index(String name, Function<Bytes, @Nullable String> reader) {
    this.name = name;
    this.reader = reader;
  }

  /** Whether the values are those of a label; else of a field. */
  public boolean isOfLabel() {
    return name.startsWith(LABEL);
  }

  /** The value of an entry; null if it has none, or there is no entry. */
  @Nullable String valueOf(@Nullable Entry entry) {
    String value = entry == null ? null : reader.apply(entry.value());
    // a value with the separator in it cannot be looked up, so it is never looked up
    return value == null || value.isEmpty() || value.indexOf('\0') >= 0 ? null : value;
  }

  /** Returns the key of an object with {@code value} in the index. */
  static Bytes key(String value, Bytes key) {
    Bytes prefix = Bytes.utf8(value);
    byte[] both = new byte[prefix.length() + 1 + key.length()];
    System.arraycopy(prefix.backing(), prefix.offset(), both, 0, prefix.length());
    System.arraycopy(key.backing(), key.offset(), both, prefix.length() + 1, key.length());
    return Bytes.wrap(both);
  }

  /** Returns the key range of the objects of {@code range} with {@code value} in the index. */
  static KeyRange range(String value, KeyRange range) {
    Bytes end =
        range.end().isEmpty()
            ? KeyRange.prefix(key(value, Bytes.EMPTY)).end()
            : key(value, range.end());
    return new KeyRange(key(value, range.start()), end);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Index that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
