package dev.keelson.schema;

import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields that a write resets to their stored values, so that it cannot own them (source: {@code
 * GetResetFields} of kube-apiserver's strategies). The sets are trees in the form of {@code
 * fieldsV1}.
 *
 * @param statusMetadata the fields of the metadata that a status update resets
 * @param specOnUpdate whether an update of the main resource resets the spec
 * @param main the set of the main resource
 * @param status the set of the status subresource
 * @param parts what writes through other subresources, or through the status in place of the set,
 *     can change
 */
public record ResetFields(
    List<String> statusMetadata,
    boolean specOnUpdate,
    MapNode main,
    MapNode status,
    Map<String, FieldFilter> parts) {

  private static final MapNode WHOLE = MapNode.EMPTY;
  private static final MapNode SPEC = MapNode.of("f:spec", WHOLE);
  private static final MapNode STATUS = MapNode.of("f:status", WHOLE);

  /** Of a resource without a status subresource: nothing. */
  public static final ResetFields NONE =
      new ResetFields(List.of(), false, MapNode.EMPTY, SPEC, Map.of());

  /** Of a resource with a status subresource: the status, and through the subresource the spec. */
  public static final ResetFields STATUS_OR_SPEC =
      new ResetFields(List.of(), false, STATUS, SPEC, Map.of());

  /** All metadata of which a status update may not change anything. */
  private static final List<String> OWN_METADATA =
      List.of("labels", "annotations", "finalizers", "ownerReferences");

  public ResetFields {
    statusMetadata = List.copyOf(statusMetadata);
    parts = Map.copyOf(parts);
  }

  /**
   * The fields that a write can change.
   *
   * @param subresource its name, or empty for the main resource
   */
  public FieldFilter filter(String subresource) {
    FieldFilter part = parts.get(subresource);
    if (part != null) {
      return part;
    }
    return switch (subresource) {
      case "" -> main.isEmpty() ? FieldFilter.ALL : new FieldFilter.Except(main);
      case "status" -> new FieldFilter.Except(status);
      default -> FieldFilter.ALL;
    };
  }

  /** The same, with what writes through a subresource can change. */
  ResetFields withPart(String subresource, FieldFilter filter) {
    Map<String, FieldFilter> all = new HashMap<>(parts);
    all.put(subresource, filter);
    return new ResetFields(statusMetadata, specOnUpdate, main, status, all);
  }

  /** The same, with fields of the metadata that a status update leaves. */
  ResetFields withStatusMetadata(List<String> fields) {
    MapNode metadata = MapNode.EMPTY;
    for (String field : fields) {
      metadata = metadata.with("f:" + field, WHOLE);
    }
    return new ResetFields(
        fields,
        specOnUpdate,
        main,
        MapNode.of("f:metadata", metadata).with("f:spec", WHOLE),
        parts);
  }

  /** The same, where a status update leaves labels, annotations, finalizers and owners. */
  ResetFields withAllStatusMetadata() {
    return new ResetFields(
        OWN_METADATA,
        specOnUpdate,
        main,
        MapNode.of("f:metadata", WHOLE).with("f:spec", WHOLE),
        parts);
  }

  /** The same, where an update of the main resource leaves the spec. */
  ResetFields withSpecOnUpdate() {
    return new ResetFields(
        statusMetadata, true, MapNode.of("f:spec", WHOLE).with("f:status", WHOLE), status, parts);
  }

  /**
   * The fields that a write can change, so that its manager can own them (source: the filters of
   * structured-merge-diff, which {@code GetResetFields} and {@code GetResetFieldsFilter} of
   * kube-apiserver's strategies return).
   */
  public sealed interface FieldFilter {

    /** Every field. */
    FieldFilter ALL = new Except(MapNode.EMPTY);

    /**
     * Every field but some, with all below them.
     *
     * @param others a set in the form of {@code fieldsV1}
     */
    record Except(MapNode others) implements FieldFilter {}

    /**
     * Some fields with all below them, and the fields that contain them.
     *
     * @param some the fields as a tree in the form of {@code fieldsV1}, without {@code "."}, in
     *     which {@link #ANY} stands for any element
     */
    record Only(MapNode some) implements FieldFilter {

      /** Any item of a list, key of a map or field. */
      public static final String ANY = "*";
    }
  }
}
