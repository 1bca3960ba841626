package dev.keelson.registry.read;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.stored.ScanResult;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.StoredPath;
import dev.keelson.schema.codec.stored.StoredScan;
import dev.keelson.storage.Bytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The labels and fields of one stored object for selectors. Scans the stored bytes for single
 * values and decodes the object only if the scan fails. Safe for use by several threads: concurrent
 * computations have the same result.
 */
final class SelectableObject {

  private final StoredType type;
  private final Bytes value;
  private final ObjectCodec codec;
  private volatile @Nullable Map<String, String> labels;
  private volatile @Nullable ApiObject tree;

  SelectableObject(StoredType type, Bytes value, ObjectCodec codec) {
    this(type, value, codec, null);
  }

  /** An object whose tree may be known already, in the version of {@code type}. */
  SelectableObject(StoredType type, Bytes value, ObjectCodec codec, @Nullable ApiObject tree) {
    this.type = type;
    this.value = value;
    this.codec = codec;
    this.tree = tree;
  }

  Map<String, String> labels() {
    Map<String, String> known = labels;
    if (known == null) {
      // a webhook may convert labels, too
      known =
          codec.needsWebhook(type, value)
              ? null
              : StoredScan.labels(value.backing(), value.offset(), value.end());
      if (known == null) {
        known = tree().meta().labels();
      }
      labels = known;
    }
    return known;
  }

  /** The labels as they are stored, which need no conversion. */
  Map<String, String> storedLabels() {
    Map<String, String> known = StoredScan.labels(value.backing(), value.offset(), value.end());
    return known == null ? codec.metadata(type, value).labels() : known;
  }

  /**
   * The value of a field in the version that {@code definition} serves.
   *
   * @param paths the dotted JSON paths of the field, as {@link FieldValues#of} reads them
   * @param path the only one of {@code paths} in the stored bytes, or null if it may not be there
   */
  String field(ResourceDefinition definition, List<String> paths, @Nullable StoredPath path) {
    if (path != null) {
      ScanResult found = scan(path);
      if (found instanceof ScanResult.Value there && isStoredKind()) {
        return there.text();
      }
      if (found instanceof ScanResult.Absent && isStoredKind()) {
        return FieldValues.zero(definition, paths.getFirst());
      }
    }
    ApiObject stored = tree();
    ApiObject served =
        codec.servesStoredShape(definition)
            ? stored
            : codec.convert(stored, type.kind(), definition.gvk());
    return FieldValues.of(definition, served, paths);
  }

  private ScanResult scan(StoredPath path) {
    return StoredScan.field(value.backing(), value.offset(), value.end(), path);
  }

  /** Whether the bytes have the fields of the version in which objects are stored now. */
  private boolean isStoredKind() {
    StoredType written = type.written();
    return StoredScan.isOf(value.backing(), value.offset(), value.end(), written.kind())
        && StoredForm.servedEnd(written.schema(), value.backing(), value.offset(), value.end())
            >= 0;
  }

  /** The object in the version of its type. */
  ApiObject tree() {
    ApiObject known = tree;
    if (known == null) {
      known = codec.decode(type, value);
      tree = known;
    }
    return known;
  }

  /** Records the tree, which another has read. */
  void read(ApiObject known) {
    tree = known;
  }

  /** The object in the version of its type if it had to be decoded, or null. */
  @Nullable ApiObject treeIfRead() {
    return tree;
  }
}
