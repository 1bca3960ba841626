package dev.keelson.storage.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.watch.WatchEvent;
import org.jspecify.annotations.Nullable;

/** Converts between the types of the store and those of jetcd. */
final class Wire {

  /** As the end of a range: no end. As its start: from the first key on. */
  private static final ByteSequence ZERO = ByteSequence.from(new byte[] {0});

  private Wire() {}

  static ByteSequence bytes(Bytes bytes) {
    return ByteSequence.from(bytes.array());
  }

  private static Bytes bytes(ByteSequence bytes) {
    return bytes.isEmpty() ? Bytes.EMPTY : Bytes.wrap(bytes.getBytes());
  }

  static ByteString string(Bytes bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes.backing(), bytes.offset(), bytes.length());
  }

  static ByteSequence start(KeyRange range) {
    return range.start().isEmpty() ? ZERO : bytes(range.start());
  }

  static ByteSequence end(KeyRange range) {
    return range.end().isEmpty() ? ZERO : bytes(range.end());
  }

  static Entry entry(KeyValue kv) {
    return new Entry(
        bytes(kv.getKey()), bytes(kv.getValue()), kv.getCreateRevision(), kv.getModRevision());
  }

  static Entry entry(io.etcd.jetcd.api.KeyValue kv) {
    return new Entry(
        Bytes.wrap(kv.getKey().toByteArray()),
        Bytes.wrap(kv.getValue().toByteArray()),
        kv.getCreateRevision(),
        kv.getModRevision());
  }

  static Bytes key(WatchEvent event) {
    return bytes(event.getKeyValue().getKey());
  }

  static Change change(WatchEvent event) {
    KeyValue kv = event.getKeyValue();
    return switch (event.getEventType()) {
      case PUT -> new Change.Put(entry(kv), previous(event));
      case DELETE -> new Change.Delete(bytes(kv.getKey()), kv.getModRevision(), previous(event));
      case UNRECOGNIZED ->
          throw new IllegalStateException("etcd sent a kind of event that it does not define");
    };
  }

  /** jetcd returns an empty entry where etcd sent none; revisions of real entries are positive. */
  private static @Nullable Entry previous(WatchEvent event) {
    KeyValue previous = event.getPrevKV();
    return previous.getModRevision() == 0 ? null : entry(previous);
  }

  /** How many bytes the keys and values of {@code event} have. */
  static long size(WatchEvent event) {
    return size(event.getKeyValue()) + size(event.getPrevKV());
  }

  static long size(KeyValue kv) {
    return (long) kv.getKey().size() + kv.getValue().size();
  }
}
