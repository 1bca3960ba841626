package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.TransformationListener.Direction;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes with the first of several transformers and reads with any whose prefix the value has, in
 * order. A value that another than the first one read is stale (apiserver
 * pkg/storage/value/transformer.go).
 *
 * <p>Several transformers may have the same prefix with different keys, so a failure of one does
 * not end the search. A transformer without a prefix that rejects a value leaves it to the next one
 * without a trace: identity comes first while encryption is being turned off.
 */
public final class PrefixTransformers implements Transformer {

  private final List<PrefixedTransformer> transformers;
  private final String unmatched;
  private final TransformationListener listener;

  /**
   * A choice of transformers.
   *
   * @param transformers at least one, in the order of the search
   * @param unmatched the message for values without a known prefix
   */
  public PrefixTransformers(
      List<PrefixedTransformer> transformers, String unmatched, TransformationListener listener) {
    if (transformers.isEmpty()) {
      throw new IllegalArgumentException("no transformers");
    }
    this.transformers = List.copyOf(transformers);
    this.unmatched = unmatched;
    this.listener = listener;
  }

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    long begin = System.nanoTime();
    List<TransformationException> failures = new ArrayList<>();
    for (PrefixedTransformer each : transformers) {
      if (!stored.startsWith(each.prefix())) {
        continue;
      }
      boolean bare = each.prefix().isEmpty();
      String label = bare ? "identity" : each.prefix().utf8();
      try {
        Plain plain = each.transformer().fromStorage(after(stored, each.prefix()), authenticated);
        report(Direction.FROM_STORAGE, label, "OK", begin);
        return each == transformers.getFirst() ? plain : new Plain(plain.value(), true);
      } catch (TransformationException e) {
        if (!bare) {
          report(Direction.FROM_STORAGE, label, e.status(), begin);
          failures.add(e);
        }
      }
    }
    if (!failures.isEmpty()) {
      throw TransformationException.all(failures);
    }
    TransformationException unknown = new TransformationException(unmatched);
    report(Direction.FROM_STORAGE, "unknown", unknown.status(), begin);
    throw unknown;
  }

  private static Bytes after(Bytes stored, Bytes prefix) {
    int length = prefix.length();
    return Bytes.wrap(stored.backing(), stored.offset() + length, stored.length() - length);
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    long begin = System.nanoTime();
    PrefixedTransformer first = transformers.getFirst();
    String label = first.prefix().utf8();
    Bytes value;
    try {
      value = first.transformer().toStorage(plain, authenticated);
    } catch (TransformationException e) {
      report(Direction.TO_STORAGE, label, e.status(), begin);
      throw e;
    }
    report(Direction.TO_STORAGE, label, "OK", begin);
    if (first.prefix().isEmpty()) {
      return value;
    }
    byte[] prefixed = new byte[first.prefix().length() + value.length()];
    copy(first.prefix(), prefixed, 0);
    copy(value, prefixed, first.prefix().length());
    return Bytes.wrap(prefixed);
  }

  private static void copy(Bytes from, byte[] to, int at) {
    System.arraycopy(from.backing(), from.offset(), to, at, from.length());
  }

  private void report(Direction direction, String prefix, String status, long begin) {
    listener.transformed(direction, prefix, status, System.nanoTime() - begin);
  }
}
