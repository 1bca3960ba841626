package dev.keelson.registry.fieldmanager;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.apply.FieldSet;
import java.util.List;

/**
 * What a write leaves as it is whatever is sent, so that nobody comes to own it that way (source:
 * {@code GetResetFields} of kube-apiserver's strategies).
 */
public final class ResetFields {

  private static final String METADATA = "f:metadata";
  private static final String SPEC = "f:spec";
  private static final String STATUS = "f:status";
  private static final MapNode WHOLE = MapNode.EMPTY;

  private static final FieldSet MAIN = set(MapNode.of(STATUS, WHOLE));
  private static final FieldSet MAIN_OF_REQUEST = set(MapNode.of(SPEC, WHOLE).with(STATUS, WHOLE));
  private static final Kept NOTHING = new Kept(List.of(), set(MapNode.of(SPEC, WHOLE)));
  private static final Kept OF_DEPLOYMENT = kept(List.of("labels"));

  /** A deletion that the object does not show is passed over. */
  private static final Kept OF_POD = kept(List.of("deletionTimestamp", "ownerReferences"));

  private static final Kept ALL =
      new Kept(
          List.of("labels", "annotations", "finalizers", "ownerReferences"),
          set(MapNode.of(METADATA, WHOLE).with(SPEC, WHOLE)));

  /**
   * What a write of the status leaves alone.
   *
   * @param metadata the fields of the metadata
   * @param fields these and the spec
   */
  private record Kept(List<String> metadata, FieldSet fields) {}

  private ResetFields() {}

  /** The fields that a write through a resource, or a subresource of it, cannot change. */
  static FieldSet of(ResourceDefinition definition, String subresource) {
    return switch (subresource) {
      case "" -> main(definition);
      case "status" -> keptByStatus(definition.kind()).fields();
      default -> FieldSet.EMPTY;
    };
  }

  private static FieldSet main(ResourceDefinition definition) {
    if (definition.kind().equals("CertificateSigningRequest")) {
      return MAIN_OF_REQUEST;
    }
    return definition.subresources().containsKey("status") ? MAIN : FieldSet.EMPTY;
  }

  /** The fields of the metadata that a write of the status leaves as they are. */
  public static List<String> metadataKeptByStatus(String kind) {
    return keptByStatus(kind).metadata();
  }

  private static Kept keptByStatus(String kind) {
    return switch (kind) {
      case "Deployment" -> OF_DEPLOYMENT;
      case "Pod" -> OF_POD;
      case "FlowSchema",
          "PriorityLevelConfiguration",
          "ValidatingAdmissionPolicy",
          "VolumeAttachment",
          "ResourceClaim",
          "StorageVersion" ->
          ALL;
      default -> NOTHING;
    };
  }

  /** Some fields of the metadata, in the order of their names. */
  private static Kept kept(List<String> metadata) {
    MapNode fields = MapNode.EMPTY;
    for (String field : metadata) {
      fields = fields.with("f:" + field, WHOLE);
    }
    return new Kept(metadata, set(MapNode.of(METADATA, fields).with(SPEC, WHOLE)));
  }

  private static FieldSet set(MapNode tree) {
    return new FieldSet(tree);
  }
}
