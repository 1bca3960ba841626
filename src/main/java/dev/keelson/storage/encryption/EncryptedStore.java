package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The border between plain and stored values: values are encrypted on the way into the store and
 * decrypted on the way out, so that everything above it, the watch cache included, works on plain
 * bytes, and everything below it, files and logs of the store included, on encrypted ones.
 *
 * <p>A value that cannot be transformed ends the call with {@link StorageException.Transformation},
 * whose text is that of kube-apiserver: the bare cause for one key, and with the key for a range. A
 * feed continues without it and names its key in {@link ChangeFeed.Batch#unreadable}.
 */
public final class EncryptedStore extends ForwardingStore {

  private final KeyTransformers transformers;

  /** Selects the transformer of a key. */
  @FunctionalInterface
  public interface KeyTransformers {

    /** The transformer of {@code key}; null for keys of no resource, which are stored as given. */
    @Nullable Transformer of(Bytes key);
  }

  /** Encrypts what goes into {@code store}. */
  public EncryptedStore(RevisionedStore store, KeyTransformers transformers) {
    super(store);
    this.transformers = transformers;
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    Read read = super.get(key, atRevision);
    Entry entry = read.entry();
    return entry == null ? read : new Read(single(entry), read.revision());
  }

  private Entry single(Entry entry) {
    try {
      return plain(entry);
    } catch (TransformationException e) {
      throw new StorageException.Transformation(e.text(), e);
    }
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    Page page = super.range(range, atRevision, limit);
    List<Entry> entries = new ArrayList<>(page.entries().size());
    for (Entry entry : page.entries()) {
      try {
        entries.add(plain(entry));
      } catch (TransformationException e) {
        throw new StorageException.Transformation(
            "unable to transform key \"" + entry.key() + "\": " + e.text(), e);
      }
    }
    return new Page(entries, page.more(), page.count(), page.revision());
  }

  /** The entry with its plain value; throws {@link TransformationException}. */
  private Entry plain(Entry entry) {
    Transformer transformer = transformers.of(entry.key());
    if (transformer == null) {
      return entry;
    }
    Bytes value = transformer.fromStorage(entry.value(), entry.key()).value();
    return new Entry(entry.key(), value, entry.createRevision(), entry.modRevision());
  }

  @Override
  public WriteOutcome write(Write write) {
    Write encrypted = write instanceof Write.Put put ? encrypted(put) : write;
    WriteOutcome outcome = super.write(encrypted);
    return outcome instanceof WriteOutcome.Conflict(Entry current)
        ? new WriteOutcome.Conflict(single(current))
        : outcome;
  }

  private Write encrypted(Write.Put put) {
    Transformer transformer = transformers.of(put.key());
    if (transformer == null) {
      return put;
    }
    Bytes value;
    try {
      value = transformer.toStorage(put.value(), put.key());
    } catch (TransformationException e) {
      throw new StorageException.Transformation(e.text(), e);
    }
    return new Write.Put(put.key(), value, put.expectedRevision(), put.lease(), put.guard());
  }

  @Override
  public boolean stale(Bytes key) {
    Transformer transformer = transformers.of(key);
    Entry entry = transformer == null ? null : super.get(key, NEWEST).entry();
    if (transformer == null || entry == null) {
      return false;
    }
    try {
      return transformer.fromStorage(entry.value(), key).stale();
    } catch (TransformationException e) {
      throw new StorageException.Transformation(e.text(), e);
    }
  }

  @Override
  public ChangeFeed feed(KeyRange range, long afterRevision) {
    return new EncryptedFeed(super.feed(range, afterRevision), this::plain);
  }
}
