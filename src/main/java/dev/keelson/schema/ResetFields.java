package dev.keelson.schema;

import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * The fields that a write resets to their stored values, so that it cannot own them (source: {@code
 * GetResetFields} of kube-apiserver's strategies). The sets are trees in the form of {@code
 * fieldsV1}.
 *
 * @param statusMetadata the fields of the metadata that a status update resets
 * @param specOnUpdate whether an update of the main resource resets the spec
 * @param main the set of the main resource
 * @param status the set of the status subresource
 */
public record ResetFields(
    List<String> statusMetadata, boolean specOnUpdate, MapNode main, MapNode status) {

  private static final MapNode WHOLE = MapNode.EMPTY;
  private static final MapNode SPEC = MapNode.of("f:spec", WHOLE);
  private static final MapNode STATUS = MapNode.of("f:status", WHOLE);

  /** Of a resource without a status subresource: nothing. */
  public static final ResetFields NONE = new ResetFields(List.of(), false, MapNode.EMPTY, SPEC);

  /** Of a resource with a status subresource: the status, and through the subresource the spec. */
  public static final ResetFields STATUS_OR_SPEC = new ResetFields(List.of(), false, STATUS, SPEC);

  /** All metadata of which a status update may not change anything. */
  private static final List<String> OWN_METADATA =
      List.of("labels", "annotations", "finalizers", "ownerReferences");

  public ResetFields {
    statusMetadata = List.copyOf(statusMetadata);
  }

  /** The same, with fields of the metadata that a status update leaves. */
  ResetFields withStatusMetadata(List<String> fields) {
    MapNode metadata = MapNode.EMPTY;
    for (String field : fields) {
      metadata = metadata.with("f:" + field, WHOLE);
    }
    return new ResetFields(
        fields, specOnUpdate, main, MapNode.of("f:metadata", metadata).with("f:spec", WHOLE));
  }

  /** The same, where a status update leaves labels, annotations, finalizers and owners. */
  ResetFields withAllStatusMetadata() {
    return new ResetFields(
        OWN_METADATA, specOnUpdate, main, MapNode.of("f:metadata", WHOLE).with("f:spec", WHOLE));
  }

  /** The same, where an update of the main resource leaves the spec. */
  ResetFields withSpecOnUpdate() {
    return new ResetFields(
        statusMetadata, true, MapNode.of("f:spec", WHOLE).with("f:status", WHOLE), status);
  }
}
